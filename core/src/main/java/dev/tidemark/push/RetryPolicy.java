package dev.tidemark.push;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How often a push is tried until the device says that it has it. The first try is at once; each delay counts from the try
 * before. Tries used up, the device is told to sync. Immutable.
 *
 * <p>Only for hosts whose devices acknowledge pushes, see {@link PushService#acknowledge}: to others every push would come
 * several times.
 */
public final class RetryPolicy {

    /** The longest delay. */
    public static final Duration MAX_DELAY = Duration.ofHours(1);

    private static final RetryPolicy NONE = new RetryPolicy(Map.of());

    private final Map<Delivery, List<Duration>> delays;

    private RetryPolicy(Map<Delivery, List<Duration>> delays) {
        this.delays = delays;
    }

    /** One try, and no acknowledgement is waited for. */
    public static RetryPolicy none() {
        return NONE;
    }

    /**
     * C2C at once and after 3 s; C2G at once; S2C at once and after 1.5, 1.5, 3, 5 and 7 s; C2S at once and after 5, 7 and
     * 11 s. They are those of IMBoy, whose sync layer carries the guarantee as it does here.
     */
    public static RetryPolicy defaults() {
        return none().with(Delivery.C2C, Duration.ofSeconds(3))
                .with(Delivery.C2G)
                .with(
                        Delivery.S2C,
                        Duration.ofMillis(1500),
                        Duration.ofMillis(1500),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(7))
                .with(Delivery.C2S, Duration.ofSeconds(5), Duration.ofSeconds(7), Duration.ofSeconds(11));
    }

    /**
     * This policy with other delays for a sort of delivery.
     *
     * @param delivery the sort
     * @param between the delays, each more than zero and at most {@link #MAX_DELAY}; none for one try that is to be
     *     acknowledged
     * @throws InvalidInputException naming {@code between}
     */
    public RetryPolicy with(Delivery delivery, Duration... between) {
        for (Duration delay : between) {
            if (delay.isNegative() || delay.isZero() || delay.compareTo(MAX_DELAY) > 0) {
                throw new InvalidInputException(
                        "between", "more than zero and at most " + MAX_DELAY + ", was " + delay);
            }
        }
        Map<Delivery, List<Duration>> changed = new EnumMap<>(Delivery.class);
        changed.putAll(delays);
        changed.put(delivery, List.copyOf(Arrays.asList(between)));
        return new RetryPolicy(changed);
    }

    /** Whether pushes of this sort are to be acknowledged. */
    public boolean isAcknowledged(Delivery delivery) {
        return delays.containsKey(delivery);
    }

    /** The delays between the tries of a push of this sort. */
    public List<Duration> delays(Delivery delivery) {
        return delays.getOrDefault(delivery, List.of());
    }

    @Override
    public String toString() {
        return "RetryPolicy" + delays;
    }
}
