package dev.tidemark.storage.tck;

import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.storage.memory.InMemoryTransaction;
import java.time.Clock;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The in-memory reference: no connection that could die, no database behind it with a will of its own. */
final class InMemoryMessageStoreFixture implements TransactionalMessageStoreFixture<InMemoryTransaction> {

    static final Set<Capability> MISSING = EnumSet.of(
            Capability.CONSTRAINTS,
            Capability.COMMIT_FAULTS,
            Capability.COMMIT_PAUSES,
            Capability.RETRYABLE_FAULTS,
            Capability.CANCELLATIONS);

    private final InMemoryMessageStore store = new InMemoryMessageStore();
    private final Set<String> hostRows = ConcurrentHashMap.newKeySet();

    @Override
    public InMemoryMessageStore store() {
        return store;
    }

    @Override
    public InMemoryMessageStore another(Clock clock) {
        return store.another(clock);
    }

    @Override
    public Hold holdLocks(Collection<String> conversations) {
        List<Runnable> releases = conversations.stream().map(store::hold).toList();
        AtomicBoolean released = new AtomicBoolean();
        return () -> {
            if (released.compareAndSet(false, true)) {
                releases.forEach(Runnable::run);
            }
        };
    }

    @Override
    public void deleteHead(String conversation) {
        store.deleteHead(conversation);
    }

    @Override
    public void setHead(String conversation, long seq) {
        store.setHead(conversation, seq);
    }

    @Override
    public Runnable backup() {
        return store.backup();
    }

    @Override
    public HostTransaction<InMemoryTransaction> begin() {
        return new InMemoryHostTransaction(store.begin(), hostRows);
    }

    @Override
    public InMemoryTransaction withoutTransaction() {
        InMemoryTransaction ended = store.begin();
        ended.rollback();
        return ended;
    }

    @Override
    public boolean hasHostRow(String row) {
        return hostRows.contains(row);
    }
}
