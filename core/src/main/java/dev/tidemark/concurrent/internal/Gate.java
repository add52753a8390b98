package dev.tidemark.concurrent.internal;

import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a bounded number of tasks through to an executor at once, in order, and a bounded number wait. It takes nothing
 * before it is opened.
 *
 * @param <T> the tasks
 */
public final class Gate<T extends Gate.Task> {

    /** A task. Neither method may throw. */
    public interface Task extends Runnable {

        /** Called in place of {@link #run()} when the executor refuses it, on whichever thread it was that asked. */
        void refused(Throwable refusal);
    }

    private final int concurrency;
    private final int capacity;
    private final Executor executor;

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final Set<T> inside = ConcurrentHashMap.newKeySet();
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean open;

    /**
     * Creates a gate that takes nothing yet.
     *
     * @param concurrency how many tasks run at once
     * @param queueCapacity how many more wait
     * @param executor runs them
     */
    public Gate(int concurrency, int queueCapacity, Executor executor) {
        this.concurrency = concurrency;
        this.capacity = concurrency + queueCapacity;
        this.executor = executor;
    }

    /** Takes offers from now on. */
    public void open() {
        open = true;
    }

    /** Offers a task; a taken one is run or refused. */
    public Mailbox.Offer offer(T task) {
        if (!open) {
            return Mailbox.Offer.CLOSED;
        }
        if (places.incrementAndGet() > capacity) {
            leave();
            return Mailbox.Offer.FULL;
        }
        // Looked at again now that the place is taken: either close() sees the place, or this sees the close.
        if (!open) {
            leave();
            return Mailbox.Offer.CLOSED;
        }
        inside.add(task);
        queue.add(task);
        if (claim()) {
            start();
        }
        return Mailbox.Offer.TAKEN;
    }

    /** The tasks that wait or run, as seen by an iteration beside offers. */
    public Collection<T> inside() {
        return inside;
    }

    /** How many tasks wait or run. */
    public int size() {
        return places.get();
    }

    /**
     * Takes no more offers.
     *
     * @return completes when no task waits or runs any more
     */
    public CompletionStage<Void> close() {
        open = false;
        if (places.get() == 0) {
            idle.complete(null);
        }
        return idle;
    }

    private boolean claim() {
        int now = running.get();
        while (now < concurrency) {
            if (running.compareAndSet(now, now + 1)) {
                return true;
            }
            now = running.get();
        }
        return false;
    }

    private void start() {
        try {
            executor.execute(this::work);
        } catch (Throwable e) {
            // Others may rely on the slot that was claimed here. With nobody left who works, nobody else tells them.
            if (running.decrementAndGet() == 0) {
                for (T task = queue.poll(); task != null; task = queue.poll()) {
                    task.refused(e);
                    done(task);
                }
            }
        }
    }

    private void work() {
        do {
            for (T task = queue.poll(); task != null; task = queue.poll()) {
                try {
                    task.run();
                } finally {
                    done(task);
                }
            }
            running.decrementAndGet();
        } while (!queue.isEmpty() && claim());
    }

    private void done(T task) {
        inside.remove(task);
        leave();
    }

    private void leave() {
        if (places.decrementAndGet() == 0 && !open) {
            idle.complete(null);
        }
    }
}
