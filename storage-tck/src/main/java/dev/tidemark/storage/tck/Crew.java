package dev.tidemark.storage.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do their parts at the same time, as nodes do. */
final class Crew implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** One thread's part. */
    @FunctionalInterface
    interface Part<R> {
        R play() throws Exception;
    }

    /** One thread's part that comes to nothing but its effects. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** {@link #together} for what has no result. */
    void run(List<? extends Work> works) throws Exception {
        List<Part<Boolean>> parts = new ArrayList<>();
        for (Work work : works) {
            parts.add(() -> {
                work.run();
                return true;
            });
        }
        together(parts);
    }

    /** Begins one part beside the calling thread. */
    <R> Future<R> begin(Part<R> part) {
        return threads.submit(part::play);
    }

    /** Begins all parts at once and waits for them. The first failure ends the others by interruption and is thrown. */
    <R> List<R> together(List<Part<R>> parts) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        ExecutorCompletionService<R> done = new ExecutorCompletionService<>(threads);
        List<Future<R>> results = new ArrayList<>();
        for (Part<R> part : parts) {
            results.add(done.submit(() -> {
                start.await();
                return part.play();
            }));
        }
        start.countDown();
        for (int i = 0; i < parts.size(); i++) {
            valueOf(done.take());
        }
        List<R> values = new ArrayList<>();
        for (Future<R> result : results) {
            values.add(valueOf(result));
        }
        return values;
    }

    /** What a part came to; its failure is thrown as it was. */
    static <R> R valueOf(Future<R> result) throws Exception {
        try {
            return result.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof Error error) {
                throw error;
            }
            if (cause instanceof Exception exception) {
                throw exception;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
