package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.append.FreshDrafts;
import dev.tidemark.storage.append.Locking;
import dev.tidemark.storage.append.NumberedDraft;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * How messages and heads lie in a database: the statements, and nothing but the statements. {@link JdbcMessageStore} brings
 * connections, transactions, the append algorithm and the translation of exceptions, so a layout throws the driver's {@code
 * SQLException} as it is and never commits, rolls back, closes or changes the connection.
 *
 * <p>Supply one to keep messages in tables of your own shape. What such tables need: a row per conversation that can be
 * locked, a unique key over (conversation, sequence), and a unique key over (conversation, sender, message id), all of them
 * comparing ids byte for byte.
 *
 * <p>Collections of conversations come sorted and without repeats, and are never empty. Implementations are immutable and
 * safe for use by many threads.
 */
public interface MessageLayout {

    /** What the tables can hold. */
    StoreLimits limits();

    /**
     * Locks rows of conversations for writing until the transaction ends.
     *
     * @param wait how long to wait for a row that is locked elsewhere; with {@link Duration#ZERO} it is passed over ({@code
     *     SKIP LOCKED} or its equal)
     * @return the heads of the rows that are locked now, as they are after locking; no entry for a row that is locked
     *     elsewhere or missing
     */
    Map<String, Head> lockHeads(Connection connection, List<String> conversations, Duration wait) throws SQLException;

    /**
     * The heads of conversations, without locking and without waiting.
     *
     * @return no entry for a conversation that has no row
     */
    Map<String, Head> heads(Connection connection, Collection<String> conversations) throws SQLException;

    /** Writes the heads of rows that this transaction has locked. The floors are as they were locked. */
    void moveHeads(Connection connection, Map<String, Head> heads) throws SQLException;

    /** Creates the rows of conversations that have none, with these heads; a row that is there stays as it is. */
    void createHeads(Connection connection, Map<String, Head> heads) throws SQLException;

    /**
     * The heads as the message rows tell them: highest sequence with its tag, lowest sequence minus one as the floor.
     *
     * @return no entry for a conversation without messages
     */
    Map<String, Head> lastRows(Connection connection, List<String> conversations) throws SQLException;

    /**
     * Looks messages up by key, without locking.
     *
     * @return no entry for a key that is not stored
     */
    Map<MessageKey, Receipt> find(Connection connection, Collection<MessageKey> keys) throws SQLException;

    /** Inserts message rows with revision 0, all or none. */
    void insert(Connection connection, List<NumberedDraft> rows) throws SQLException;

    /** Reads forward, as {@link dev.tidemark.storage.MessageLog#after}; the arguments are checked already. */
    Slice after(Connection connection, String conversation, long after, int limit) throws SQLException;

    /** Reads backward, as {@link dev.tidemark.storage.MessageLog#before}; the arguments are checked already. */
    Slice before(Connection connection, String conversation, long before, int limit) throws SQLException;

    /** Whether {@link #appendFresh} works; false by default. */
    default boolean canAppendFresh() {
        return false;
    }

    /**
     * Locks without waiting, numbers, inserts and moves the heads by one statement on a connection in autocommit; see {@link
     * dev.tidemark.storage.append.AppendPrimitives#appendFresh}.
     *
     * @return the heads before the append, of the conversations that were written
     */
    default Map<String, Head> appendFresh(Connection connection, List<FreshDrafts> drafts, Locking locking)
            throws SQLException {
        throw new IllegalStateException("canAppendFresh() is false");
    }

    /**
     * Checks at start that the tables are there and right; does nothing by default.
     *
     * @throws dev.tidemark.storage.StorageException of kind {@link
     *     dev.tidemark.storage.StorageException.Kind#UNSUPPORTED} with the remedy in its message
     */
    default void verify(Connection connection) throws SQLException {}
}
