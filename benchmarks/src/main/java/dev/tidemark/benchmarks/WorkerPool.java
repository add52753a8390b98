package dev.tidemark.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Threads that store what is queued: one message, or as many as there are up to a limit, at a time. */
abstract class WorkerPool implements SendDesign {

    private static final int CAPACITY = 4096;

    private final List<BlockingQueue<Pending>> queues = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    record Pending(Message message, Consumer<@Nullable String> done) {}

    /** Starts workers on the given number of queues; a conversation stays on its queue. */
    void start(int queueCount, int workersPerQueue, int batch) {
        for (int i = 0; i < queueCount; i++) {
            BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(CAPACITY);
            queues.add(queue);
            for (int j = 0; j < workersPerQueue; j++) {
                Thread thread = new Thread(() -> work(queue, batch), "worker-" + i + "-" + j);
                threads.add(thread);
                thread.start();
            }
        }
    }

    /** Stores the messages, durably. */
    abstract void store(List<Message> messages) throws Exception;

    @Override
    public void send(Message message, Consumer<@Nullable String> done) {
        try {
            queues.get(message.conversation() % queues.size()).put(new Pending(message, done));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void work(BlockingQueue<Pending> queue, int batch) {
        List<Pending> taken = new ArrayList<>();
        try {
            while (!closed) {
                taken.clear();
                taken.add(queue.take());
                queue.drainTo(taken, batch - 1);
                String fault = null;
                try {
                    store(taken.stream().map(Pending::message).toList());
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    fault = e.toString();
                }
                for (Pending pending : taken) {
                    pending.done().accept(fault);
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Thread thread : threads) {
            thread.interrupt();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
