package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.listener.internal.FaultLog;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/** The step that limits rates: charges a send, contains what the host's limiter throws. Safe for use by many threads. */
final class Rate {

    private final SendLimiter limiter;
    private final Scheduler scheduler;
    private final FaultLog faults;

    Rate(SendLimiter limiter, Scheduler scheduler) {
        this.limiter = limiter;
        this.scheduler = scheduler;
        this.faults = new FaultLog(
                LoggerFactory.getLogger(SendLimiter.class),
                "the limiter threw; sends pass unlimited",
                scheduler::nanoTime);
    }

    /** Charges a send, which remembers it if it came too fast. */
    void charge(Send send) {
        if (limiter == SendLimiter.none()) {
            return;
        }
        try {
            Duration wait = limiter.charge(send.draft().sender(), send.draft().kind());
            if (!wait.isZero()) {
                send.tooFastUntil(scheduler.nanoTime() + wait.toNanos());
            }
        } catch (Throwable e) {
            faults.report(() -> "sender " + send.draft().sender(), e);
        }
    }

    /** Takes back what a send was charged. */
    void refund(Send send) {
        if (limiter == SendLimiter.none() || send.isTooFast()) {
            return;
        }
        try {
            limiter.refund(send.draft().sender(), send.draft().kind());
        } catch (Throwable e) {
            faults.report(() -> "sender " + send.draft().sender(), e);
        }
    }

    /** How long a send that came too fast has still to wait. */
    Duration wait(Send send) {
        return Duration.ofNanos(Math.max(1, send.tooFastUntil() - scheduler.nanoTime()));
    }
}
