package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes that all wait for the same time: who came first is due first, so the queue is its own order and one timer of the
 * scheduler does for all of them. Safe for use by many threads.
 */
final class FixedDelay {

    private static final Logger LOG = LoggerFactory.getLogger(FixedDelay.class);

    /** So many become due in one task of the scheduler, which others wait for. */
    private static final int AT_ONCE = 1_000;

    private final Duration delay;
    private final Scheduler scheduler;
    private final Consumer<Pending> whenDue;
    private final Set<Pending> waiting = new LinkedHashSet<>();
    private boolean armed;

    FixedDelay(Duration delay, Scheduler scheduler, Consumer<Pending> whenDue) {
        this.delay = delay;
        this.scheduler = scheduler;
        this.whenDue = whenDue;
    }

    /** Lets a push wait, unless it is over. */
    void add(Pending pending) {
        synchronized (this) {
            pending.dueAt(scheduler.nanoTime() + delay.toNanos());
            pending.waitIn(this);
            waiting.add(pending);
            if (!armed) {
                arm(delay);
            }
        }
        // Looked at again now that it waits: either its end finds it here, or this finds its end.
        if (pending.isOver()) {
            remove(pending);
        }
    }

    synchronized void remove(Pending pending) {
        waiting.remove(pending);
        pending.waitIn(null);
    }

    synchronized void clear() {
        waiting.clear();
    }

    private void ring() {
        List<Pending> due = new ArrayList<>();
        synchronized (this) {
            armed = false;
            long now = scheduler.nanoTime();
            Iterator<Pending> oldest = waiting.iterator();
            while (oldest.hasNext() && !armed) {
                Pending next = oldest.next();
                long left = next.due() - now;
                if (left > 0 || due.size() == AT_ONCE) {
                    arm(Duration.ofNanos(Math.max(0, left)));
                } else {
                    oldest.remove();
                    next.waitIn(null);
                    due.add(next);
                }
            }
        }
        due.forEach(whenDue);
    }

    private void arm(Duration wait) {
        try {
            scheduler.schedule(wait, this::ring);
            armed = true;
        } catch (RejectedExecutionException e) {
            LOG.debug("pushes are not retried any more, since the scheduler was shut down", e);
            waiting.clear();
        }
    }
}
