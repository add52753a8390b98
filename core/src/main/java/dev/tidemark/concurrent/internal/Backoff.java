package dev.tidemark.concurrent.internal;

import java.time.Duration;

/**
 * Pauses that double up to a limit.
 *
 * @param first the first pause
 * @param most the longest one
 */
public record Backoff(Duration first, Duration most) {

    /** The pause after so many failures in a row, 1 or more. */
    public Duration after(int failures) {
        Duration pause = first.multipliedBy(1L << Math.min(failures - 1, 20));
        return pause.compareTo(most) < 0 ? pause : most;
    }
}
