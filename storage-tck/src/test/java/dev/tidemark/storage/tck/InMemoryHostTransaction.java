package dev.tidemark.storage.tck;

import dev.tidemark.storage.memory.InMemoryTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A transaction of a host whose rows are in memory, too. */
final class InMemoryHostTransaction implements HostTransaction<InMemoryTransaction> {

    private final InMemoryTransaction transaction;
    private final Set<String> committed;
    private final List<String> written = new ArrayList<>();

    InMemoryHostTransaction(InMemoryTransaction transaction, Set<String> committed) {
        this.transaction = transaction;
        this.committed = committed;
    }

    @Override
    public InMemoryTransaction handle() {
        return transaction;
    }

    @Override
    public void write(String row) {
        written.add(row);
    }

    @Override
    public Runnable savepoint() {
        Runnable savepoint = transaction.savepoint();
        int size = written.size();
        return () -> {
            savepoint.run();
            written.subList(size, written.size()).clear();
        };
    }

    @Override
    public boolean isAsItWas() {
        return transaction.isOpen();
    }

    @Override
    public void commit() {
        transaction.commit();
        committed.addAll(written);
    }

    @Override
    public void close() {
        transaction.close();
    }
}
