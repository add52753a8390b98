package dev.tidemark.concurrent;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Time for timers: it runs tasks later and says how much time has passed. It is monotonic and has nothing to do with the
 * time of day, so a wall clock that jumps disturbs no deadline and no pause (H32).
 *
 * <p>Implementations are safe for use by many threads. Tests hand in one whose time stands still until it is moved.
 */
public interface Scheduler {

    /**
     * Runs a task once, later.
     *
     * <p>Tidemark's own tasks are short: they wake a lane on its executor and never call a store, a transport or a host's
     * callback, so one thread is enough.
     *
     * @param delay how long to wait; zero or less for as soon as possible
     * @param task what to run
     * @return takes the task back while it has not begun
     * @throws java.util.concurrent.RejectedExecutionException when this scheduler was shut down
     */
    Cancellable schedule(Duration delay, Runnable task);

    /** The current reading, in nanoseconds from an arbitrary origin; only differences mean something. */
    long nanoTime();

    /**
     * A scheduler over an executor of the host, which stays the host's to shut down.
     *
     * @param executor runs the tasks; set {@code removeOnCancelPolicy} where it has one, since most timers are cancelled
     * @return the scheduler, on the time of {@link System#nanoTime()}
     */
    static Scheduler over(ScheduledExecutorService executor) {
        return new Scheduler() {
            @Override
            public Cancellable schedule(Duration delay, Runnable task) {
                Future<?> future = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> future.cancel(false);
            }

            @Override
            public long nanoTime() {
                return System.nanoTime();
            }
        };
    }

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Cancellable {

        /** Takes the task back; one that began or ended already is not affected. */
        void cancel();
    }
}
