package dev.tidemark.ratelimit;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;

/**
 * How fast somebody may send, as a token bucket: a burst at once, and then as many messages as the bucket has been filled
 * with, evenly, since. Immutable.
 *
 * @param burst the most messages at once, 1 or more
 * @param messages how many messages a period allows in the long run, 1 or more, and at most one per nanosecond
 * @param per the period, more than zero and at most a day
 */
public record RateLimit(int burst, int messages, Duration per) {

    private static final Duration LONGEST = Duration.ofDays(1);

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public RateLimit {
        if (burst < 1) {
            throw new InvalidInputException("burst", "1 or more, was " + burst);
        }
        if (per == null || per.isNegative() || per.isZero() || per.compareTo(LONGEST) > 0) {
            throw new InvalidInputException("per", "more than zero and at most " + LONGEST + ", was " + per);
        }
        if (messages < 1 || messages > per.toNanos()) {
            throw new InvalidInputException("messages", "1 or more, and at most one per nanosecond, was " + messages);
        }
    }

    /** So many messages in a period, all of them at once if need be. */
    public static RateLimit of(int messages, Duration per) {
        return new RateLimit(messages, messages, per);
    }

    /** How long it takes to fill an empty bucket. */
    Duration timeToFill() {
        return Duration.ofNanos((long) Math.ceil((double) per.toNanos() * burst / messages));
    }
}
