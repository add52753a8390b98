package dev.tidemark.storage.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Nodes that work at the same time. */
final class CursorOrDirectoryRace {

    private CursorOrDirectoryRace() {}

    /**
     * Starts all at once and returns what each came to; the failure of one is thrown when the others are done. They are not
     * interrupted: H2 closes a database when a thread is interrupted at its file.
     */
    static <R> List<R> run(List<Callable<R>> nodes) throws Exception {
        CyclicBarrier start = new CyclicBarrier(nodes.size());
        List<Callable<R>> starting = new ArrayList<>();
        for (Callable<R> node : nodes) {
            starting.add(() -> {
                start.await();
                return node.call();
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(nodes.size());
        try {
            List<R> results = new ArrayList<>();
            for (Future<R> done : threads.invokeAll(starting)) {
                results.add(done.get());
            }
            return results;
        } finally {
            threads.shutdown();
        }
    }
}
