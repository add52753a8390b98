package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One timer for the deadlines of a whole lane: set to the earliest, it looks at all of them when it rings. So a busy lane
 * sets a timer every few seconds, not one for every send, and still nobody is answered late, whatever the store does.
 */
final class DeadlineTimer {

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineTimer.class);

    private record Setting(long at) {}

    private final Scheduler scheduler;
    private final LongFunction<OptionalLong> expire;
    private volatile @Nullable Setting setting;

    /**
     * Creates the timer.
     *
     * @param scheduler the time
     * @param expire called with the present time; answers those whose deadline has come and returns the earliest of the
     *     other deadlines
     */
    DeadlineTimer(Scheduler scheduler, LongFunction<OptionalLong> expire) {
        this.scheduler = scheduler;
        this.expire = expire;
    }

    /** Rings at this deadline or before. To be called when the send can be seen by {@code expire}. */
    void expect(long deadline) {
        Setting now = setting;
        if (now == null || deadline - now.at() < 0) {
            set(deadline);
        }
    }

    private synchronized void set(long deadline) {
        Setting now = setting;
        if (now != null && deadline - now.at() >= 0) {
            return;
        }
        Setting next = new Setting(deadline);
        try {
            scheduler.schedule(Duration.ofNanos(deadline - scheduler.nanoTime()), () -> ring(next));
            setting = next;
        } catch (RejectedExecutionException e) {
            LOG.debug("no deadline, since the scheduler was shut down", e);
        }
    }

    private void ring(Setting which) {
        synchronized (this) {
            if (!which.equals(setting)) {
                // An earlier deadline came after this timer was set; its ring took this one's place.
                return;
            }
            // Forgotten before looking: a send that comes meanwhile either is seen or sets the timer anew.
            setting = null;
        }
        expire.apply(scheduler.nanoTime()).ifPresent(this::expect);
    }
}
