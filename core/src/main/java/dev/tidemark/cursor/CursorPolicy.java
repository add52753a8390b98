package dev.tidemark.cursor;

import dev.tidemark.error.InvalidInputException;

/**
 * How acknowledgements are gathered. Immutable.
 *
 * @param lanes how many bursts are settled at once, 1 or more; each uses a thread of the store executor. A cursor belongs
 *     to one lane
 * @param queueCapacity how many acknowledgements may be under way in a lane, 1 or more; what comes on top is refused as
 *     overloaded
 * @param maxBatch the most acknowledgements settled by one write, 1 or more
 */
public record CursorPolicy(int lanes, int queueCapacity, int maxBatch) {

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public CursorPolicy {
        check("lanes", lanes);
        check("queueCapacity", queueCapacity);
        check("maxBatch", maxBatch);
    }

    /** 2 lanes with 8,192 acknowledgements each, 512 of them in a write. */
    public static CursorPolicy defaults() {
        return new CursorPolicy(2, 8192, 512);
    }

    /** This policy with another number of lanes. */
    public CursorPolicy withLanes(int value) {
        return new CursorPolicy(value, queueCapacity, maxBatch);
    }

    /** This policy with another capacity of a lane. */
    public CursorPolicy withQueueCapacity(int value) {
        return new CursorPolicy(lanes, value, maxBatch);
    }

    /** This policy with another size of a write. */
    public CursorPolicy withMaxBatch(int value) {
        return new CursorPolicy(lanes, queueCapacity, value);
    }

    private static void check(String field, int value) {
        if (value < 1) {
            throw new InvalidInputException(field, "1 or more, was " + value);
        }
    }
}
