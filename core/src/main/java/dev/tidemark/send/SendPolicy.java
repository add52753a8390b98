package dev.tidemark.send;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What sends are held to. Immutable.
 *
 * @param lanes how many writers work at once, 1 or more. A conversation belongs to one lane, so two writers of a process
 *     never share one. More lanes than the database has cores to spare make it slower
 * @param queueCapacity how many sends may be under way in a lane, 1 or more; what comes on top is refused as overloaded
 * @param timeout how long a send may take when its request does not say, more than zero and at most {@link #MAX_TIMEOUT}.
 *     Then its caller is told what is known
 * @param maxBodyBytes the largest body accepted, 1 or more; the store's own limit holds besides
 * @param lockWait how long a conversation that stays locked by somebody else is waited for at a time; same range
 * @param lockWaiters how many conversations of the pipeline are waited for like that at once, 1 or more; each needs a
 *     thread of the store executor
 * @param horizon how long ago a client may have {@linkplain SendRequest#createdAt made} a message that it sends, more than
 *     zero. It has to be less than the store keeps messages, since a repeat of one that is gone is not known as one (P3)
 */
public record SendPolicy(
        int lanes,
        int queueCapacity,
        Duration timeout,
        int maxBodyBytes,
        Duration lockWait,
        int lockWaiters,
        Duration horizon) {

    /** The longest timeout. */
    public static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public SendPolicy {
        check("lanes", lanes);
        check("queueCapacity", queueCapacity);
        check("timeout", timeout);
        check("maxBodyBytes", maxBodyBytes);
        check("lockWait", lockWait);
        check("lockWaiters", lockWaiters);
        if (horizon.isNegative() || horizon.isZero()) {
            throw new InvalidInputException("horizon", "more than zero, was " + horizon);
        }
    }

    /**
     * A lane per processor, but at least 2 and at most 8; 8,192 sends in each; a timeout of 10 s; bodies of 1 MiB; 500 ms of
     * waiting for a lock, for 2 conversations at once; a horizon of 30 days.
     */
    public static SendPolicy defaults() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new SendPolicy(
                Math.max(2, Math.min(8, processors)),
                8192,
                Duration.ofSeconds(10),
                1024 * 1024,
                Duration.ofMillis(500),
                2,
                Duration.ofDays(30));
    }

    /** This policy with another number of lanes. */
    public SendPolicy withLanes(int value) {
        return new SendPolicy(value, queueCapacity, timeout, maxBodyBytes, lockWait, lockWaiters, horizon);
    }

    /** This policy with another capacity of a lane. */
    public SendPolicy withQueueCapacity(int value) {
        return new SendPolicy(lanes, value, timeout, maxBodyBytes, lockWait, lockWaiters, horizon);
    }

    /** This policy with another timeout. */
    public SendPolicy withTimeout(Duration value) {
        return new SendPolicy(lanes, queueCapacity, value, maxBodyBytes, lockWait, lockWaiters, horizon);
    }

    /** This policy with another largest body. */
    public SendPolicy withMaxBodyBytes(int value) {
        return new SendPolicy(lanes, queueCapacity, timeout, value, lockWait, lockWaiters, horizon);
    }

    /** This policy with another wait for a locked conversation. */
    public SendPolicy withLockWait(Duration value) {
        return new SendPolicy(lanes, queueCapacity, timeout, maxBodyBytes, value, lockWaiters, horizon);
    }

    /** This policy with another number of locked conversations waited for at once. */
    public SendPolicy withLockWaiters(int value) {
        return new SendPolicy(lanes, queueCapacity, timeout, maxBodyBytes, lockWait, value, horizon);
    }

    /** This policy with another horizon. */
    public SendPolicy withHorizon(Duration value) {
        return new SendPolicy(lanes, queueCapacity, timeout, maxBodyBytes, lockWait, lockWaiters, value);
    }

    /** How many threads of the store executor the pipeline uses at most: one of them for {@link HostTransactions}. */
    public int threads() {
        return lanes + lockWaiters + 1;
    }

    /** Says what was expected instead; null when the timeout is right. */
    static @Nullable String problemOfTimeout(Duration value) {
        return value.isNegative() || value.isZero() || value.compareTo(MAX_TIMEOUT) > 0
                ? "more than zero and at most " + MAX_TIMEOUT + ", was " + value
                : null;
    }

    private static void check(String field, int value) {
        if (value < 1) {
            throw new InvalidInputException(field, "1 or more, was " + value);
        }
    }

    private static void check(String field, Duration value) {
        String problem = problemOfTimeout(value);
        if (problem != null) {
            throw new InvalidInputException(field, problem);
        }
    }
}
