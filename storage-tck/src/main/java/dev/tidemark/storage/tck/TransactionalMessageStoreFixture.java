package dev.tidemark.storage.tck;

import dev.tidemark.storage.TransactionalMessageStore;
import java.time.Clock;

/**
 * Opens a transactional message store for one test, and the host's transactions around it.
 *
 * @param <T> the host's transaction
 */
public interface TransactionalMessageStoreFixture<T> extends MessageStoreFixture {

    @Override
    TransactionalMessageStore<T> store();

    @Override
    TransactionalMessageStore<T> another(Clock clock);

    @Override
    default TransactionalMessageStore<T> another() {
        return another(Clock.systemUTC());
    }

    /** Begins a transaction of the host. The faults of {@link #failStatements} reach its connection too. */
    HostTransaction<T> begin();

    /**
     * A handle that is no open transaction, for instance a connection in autocommit mode. Closed with the fixture.
     */
    T withoutTransaction();

    /** Whether a row of the host's own is committed, see {@link HostTransaction#write}. */
    boolean hasHostRow(String row);
}
