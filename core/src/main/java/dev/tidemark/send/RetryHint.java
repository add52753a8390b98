package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import java.time.Duration;

/**
 * How long a client should wait before it tries again (P8). Everybody who is refused is given a place in a line that moves as
 * fast as the lane has lately stored: of a thousand clients refused at once, the last is sent away for longest, so that they
 * come back at a rate that can be taken (H38). Failures lengthen all of it. Safe for use by many threads.
 */
final class RetryHint {

    private static final double LEAST = Duration.ofMillis(200).toNanos();
    private static final double MOST = Duration.ofSeconds(30).toNanos();

    private final Scheduler scheduler;
    private final Governor governor;

    /** What a row takes; before anything was stored, a guess. */
    private double nanosPerRow = 100_000;

    /** How many have been sent away and should not be back yet. */
    private double away;

    private long lastRefusal;

    RetryHint(Scheduler scheduler, Governor governor) {
        this.scheduler = scheduler;
        this.governor = governor;
        this.lastRefusal = scheduler.nanoTime();
    }

    /** A batch was answered. */
    synchronized void committed(int rows, long nanos) {
        // A moving average over about eight batches.
        nanosPerRow += ((double) nanos / rows - nanosPerRow) / 8;
    }

    /** The wait to suggest to one more, when so many sends are under way. */
    synchronized Duration retryAfter(int waiting) {
        long now = scheduler.nanoTime();
        double perRow = Math.max(1, nanosPerRow);
        away = Math.max(0, away - (now - lastRefusal) / perRow);
        lastRefusal = now;
        double wait = Math.max(LEAST, (waiting + away) * perRow) * (1 << governor.failuresInARow());
        away = Math.min(away + 1, MOST / perRow);
        return Duration.ofNanos((long) Math.min(MOST, wait));
    }
}
