package dev.tidemark.send;

import java.time.Duration;

/**
 * How long a client should wait before it tries again: about as long as what waits in the lane will take, and twice as long
 * with every commit in a row that failed (P8). Safe for use by many threads.
 */
final class RetryHint {

    private static final long LEAST = Duration.ofMillis(200).toNanos();
    private static final long MOST = Duration.ofSeconds(30).toNanos();

    private long nanosPerRow;
    private int failures;

    /** A batch was answered. */
    synchronized void committed(int rows, long nanos) {
        // A moving average over about eight batches.
        nanosPerRow += (nanos / rows - nanosPerRow) / 8;
        failures = 0;
    }

    /** A batch was not answered. */
    synchronized void failed() {
        failures = Math.min(failures + 1, 10);
    }

    /** The wait to suggest when so many sends are under way. */
    synchronized Duration retryAfter(int waiting) {
        long drain = Math.max(LEAST, Math.min(MOST, waiting * nanosPerRow));
        return Duration.ofNanos(Math.min(MOST, drain << failures));
    }
}
