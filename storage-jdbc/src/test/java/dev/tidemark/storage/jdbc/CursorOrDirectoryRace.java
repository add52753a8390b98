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

    /** Starts all at once and returns what each came to; the failure of one is thrown. */
    static <R> List<R> run(List<Callable<R>> nodes) throws Exception {
        CyclicBarrier start = new CyclicBarrier(nodes.size());
        ExecutorService threads = Executors.newFixedThreadPool(nodes.size());
        try {
            List<Future<R>> running = new ArrayList<>();
            for (Callable<R> node : nodes) {
                running.add(threads.submit(() -> {
                    start.await();
                    return node.call();
                }));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> result : running) {
                results.add(result.get());
            }
            return results;
        } finally {
            // Not interrupted: H2 closes a database whose file a thread is interrupted at.
            threads.shutdown();
        }
    }
}
