package dev.tidemark;

import dev.tidemark.concurrent.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that Tidemark made itself, because the host named none: the only ones it may end. */
final class OwnThreads {

    private static final Logger LOG = LoggerFactory.getLogger(Tidemark.class);

    /** For tasks that were interrupted to notice it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final List<ExecutorService> executors = new ArrayList<>();

    /** An executor of up to so many threads; none is started before there is work, and idle ones end. */
    Executor executor(String name, int threads) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads, threads, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory(name));
        executor.allowCoreThreadTimeOut(true);
        executors.add(executor);
        return executor;
    }

    /** A scheduler of one thread, which is started with the first timer. */
    Scheduler scheduler(String name) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, factory(name));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executors.add(executor);
        return Scheduler.over(executor);
    }

    /**
     * Ends the threads, if there are any.
     *
     * @param wait how long to let them finish before they are interrupted, a second at least: the last answers may be on
     *     their way
     */
    void close(Duration wait) {
        executors.forEach(ExecutorService::shutdown);
        if (!isEndedWithin(wait.compareTo(GRACE) > 0 ? wait : GRACE)) {
            executors.forEach(ExecutorService::shutdownNow);
            if (!isEndedWithin(GRACE)) {
                LOG.warn(
                        "threads of Tidemark are busy though they were interrupted: a call to the host does not return");
            }
        }
    }

    private boolean isEndedWithin(Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        try {
            for (ExecutorService executor : executors) {
                if (!executor.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ThreadFactory factory(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            // A host that forgot to close must be able to end all the same.
            thread.setDaemon(true);
            return thread;
        };
    }
}
