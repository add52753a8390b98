package dev.tidemark.push;

import dev.tidemark.error.InvalidInputException;

/**
 * How much is pushed at once and how much may wait. Immutable.
 *
 * @param lanes how many pushes can be with the transport at once, 1 or more. A lane takes the recipients and conversations
 *     that hash to it, one push at a time; one that is blocked holds up no other
 * @param laneCapacity how many pushes may wait in a lane, 1 or more; what comes on top is dropped
 * @param fanOutLanes how many conversations can be looked up at once, 1 or more
 * @param fanOutCapacity how many messages may wait in a fan-out lane, 1 or more; what comes on top is dropped
 */
public record PushPolicy(int lanes, int laneCapacity, int fanOutLanes, int fanOutCapacity) {

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public PushPolicy {
        check("lanes", lanes);
        check("laneCapacity", laneCapacity);
        check("fanOutLanes", fanOutLanes);
        check("fanOutCapacity", fanOutCapacity);
    }

    /** 4 lanes per processor with 1,024 pushes each, a fan-out lane per processor with 8,192 messages each. */
    public static PushPolicy defaults() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new PushPolicy(4 * processors, 1024, processors, 8192);
    }

    /** This policy with another number of lanes. */
    public PushPolicy withLanes(int value) {
        return new PushPolicy(value, laneCapacity, fanOutLanes, fanOutCapacity);
    }

    /** This policy with another capacity of a lane. */
    public PushPolicy withLaneCapacity(int value) {
        return new PushPolicy(lanes, value, fanOutLanes, fanOutCapacity);
    }

    /** This policy with another number of fan-out lanes. */
    public PushPolicy withFanOutLanes(int value) {
        return new PushPolicy(lanes, laneCapacity, value, fanOutCapacity);
    }

    /** This policy with another capacity of a fan-out lane. */
    public PushPolicy withFanOutCapacity(int value) {
        return new PushPolicy(lanes, laneCapacity, fanOutLanes, value);
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
