package dev.tidemark.storage.tck;

/**
 * A transaction of the host, on a connection of its own. Closing it rolls it back unless it was committed, and gives
 * the connection back.
 *
 * @param <T> what {@link dev.tidemark.storage.TransactionalMessageStore#appendWithin} takes
 */
public interface HostTransaction<T> extends AutoCloseable {

    /** The transaction as the store is given it. */
    T handle();

    /**
     * Writes a row of the host's own, of a table that has nothing to do with Tidemark.
     *
     * @param row the row's key, unique; see {@link TransactionalMessageStoreFixture#hasHostRow}
     */
    void write(String row);

    /**
     * Sets a savepoint.
     *
     * @return rolls back to it
     */
    Runnable savepoint();

    /**
     * Whether the handle is as the host made it: the same transaction still open, autocommit and isolation as they
     * were.
     */
    boolean isAsItWas();

    /** Commits. */
    void commit();

    /** Rolls back what was not committed and gives the connection back. */
    @Override
    void close();
}
