package dev.tidemark.push;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;

/**
 * How much is pushed at once and how much may wait. Immutable.
 *
 * @param lanes how many pushes can be with the transport at once, 1 or more. A lane takes the recipients and conversations
 *     that hash to it, one push at a time; one that is blocked holds up no other
 * @param laneCapacity how many pushes may wait in a lane, 1 or more; what comes on top is dropped and its device told to sync
 * @param fanOutLanes how many conversations can be looked up at once, 1 or more
 * @param fanOutCapacity how many messages may wait in a fan-out lane, 1 or more; what comes on top is dropped, and the
 *     conversation's devices are told to sync
 * @param largeGroup the most members of a conversation whose messages are pushed, 1 or more; the devices of larger ones are
 *     told that there is something to fetch
 * @param noticeInterval how often they are told at most, more than zero and at most {@link #MAX_NOTICE_INTERVAL}
 * @param maxPending how many pushes may wait for their acknowledgement, 1 or more; what comes on top is pushed once, and its
 *     device told to sync
 * @param recentBytes how much memory the messages pushed last may take, 0 or more, so that a push that is not acknowledged
 *     can be made once more; when its message is forgotten, its device is told to sync instead
 */
public record PushPolicy(
        int lanes,
        int laneCapacity,
        int fanOutLanes,
        int fanOutCapacity,
        int largeGroup,
        Duration noticeInterval,
        int maxPending,
        long recentBytes) {

    /** The longest interval between notices. */
    public static final Duration MAX_NOTICE_INTERVAL = Duration.ofMinutes(1);

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public PushPolicy {
        check("lanes", lanes);
        check("laneCapacity", laneCapacity);
        check("fanOutLanes", fanOutLanes);
        check("fanOutCapacity", fanOutCapacity);
        check("largeGroup", largeGroup);
        check("maxPending", maxPending);
        if (noticeInterval.isNegative()
                || noticeInterval.isZero()
                || noticeInterval.compareTo(MAX_NOTICE_INTERVAL) > 0) {
            throw new InvalidInputException(
                    "noticeInterval", "more than zero and at most " + MAX_NOTICE_INTERVAL + ", was " + noticeInterval);
        }
        if (recentBytes < 0) {
            throw new InvalidInputException("recentBytes", "0 or more, was " + recentBytes);
        }
    }

    /**
     * 4 lanes per processor with 1,024 pushes each, a fan-out lane per processor with 8,192 messages each, bodies to groups of
     * up to 500, a notice a second to larger ones, 1,000,000 unacknowledged pushes, 8 MiB of recent messages.
     */
    public static PushPolicy defaults() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new PushPolicy(
                4 * processors, 1024, processors, 8192, 500, Duration.ofSeconds(1), 1_000_000, 8 * 1024 * 1024);
    }

    /** This policy with another number of lanes. */
    public PushPolicy withLanes(int value) {
        return new PushPolicy(
                value, laneCapacity, fanOutLanes, fanOutCapacity, largeGroup, noticeInterval, maxPending, recentBytes);
    }

    /** This policy with another capacity of a lane. */
    public PushPolicy withLaneCapacity(int value) {
        return new PushPolicy(
                lanes, value, fanOutLanes, fanOutCapacity, largeGroup, noticeInterval, maxPending, recentBytes);
    }

    /** This policy with another number of fan-out lanes. */
    public PushPolicy withFanOutLanes(int value) {
        return new PushPolicy(
                lanes, laneCapacity, value, fanOutCapacity, largeGroup, noticeInterval, maxPending, recentBytes);
    }

    /** This policy with another capacity of a fan-out lane. */
    public PushPolicy withFanOutCapacity(int value) {
        return new PushPolicy(
                lanes, laneCapacity, fanOutLanes, value, largeGroup, noticeInterval, maxPending, recentBytes);
    }

    /** This policy with another size from which groups are large. */
    public PushPolicy withLargeGroup(int value) {
        return new PushPolicy(
                lanes, laneCapacity, fanOutLanes, fanOutCapacity, value, noticeInterval, maxPending, recentBytes);
    }

    /** This policy with another interval between notices. */
    public PushPolicy withNoticeInterval(Duration value) {
        return new PushPolicy(
                lanes, laneCapacity, fanOutLanes, fanOutCapacity, largeGroup, value, maxPending, recentBytes);
    }

    /** This policy with another number of unacknowledged pushes. */
    public PushPolicy withMaxPending(int value) {
        return new PushPolicy(
                lanes, laneCapacity, fanOutLanes, fanOutCapacity, largeGroup, noticeInterval, value, recentBytes);
    }

    /** This policy with another bound for recent messages. */
    public PushPolicy withRecentBytes(long value) {
        return new PushPolicy(
                lanes, laneCapacity, fanOutLanes, fanOutCapacity, largeGroup, noticeInterval, maxPending, value);
    }

    /** How many threads the executor needs, so that no lane ever waits for another one. */
    public int threads() {
        return lanes + fanOutLanes;
    }

    private static void check(String field, int value) {
        if (value < 1) {
            throw new InvalidInputException(field, "1 or more, was " + value);
        }
    }
}
