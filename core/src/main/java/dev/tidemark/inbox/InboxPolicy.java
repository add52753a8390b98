package dev.tidemark.inbox;

import dev.tidemark.error.InvalidInputException;

/**
 * How conversation lists are kept. Immutable.
 *
 * @param lanes how many batches are written to the inbox store at once, 1 or more; each uses a thread of the store executor
 * @param queueCapacity how many messages may wait in a lane, 1 or more; what comes on top is left to be mended
 * @param maxBatch the most messages of one batch, 1 or more
 * @param largeGroup the most members of a conversation whose messages are put into their lists one by one, 1 or more; the
 *     lists of larger ones are mended when they are read
 * @param concurrency how many requests are worked on at once, 1 or more; each uses a thread of the store executor
 * @param requestCapacity how many more requests may wait for their turn, 0 or more
 * @param cap the most that is counted, 1 or more; where there is more to read, that is said instead of how much
 */
public record InboxPolicy(
        int lanes, int queueCapacity, int maxBatch, int largeGroup, int concurrency, int requestCapacity, int cap) {

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public InboxPolicy {
        check("lanes", lanes, 1);
        check("queueCapacity", queueCapacity, 1);
        check("maxBatch", maxBatch, 1);
        check("largeGroup", largeGroup, 1);
        check("concurrency", concurrency, 1);
        check("requestCapacity", requestCapacity, 0);
        check("cap", cap, 1);
    }

    /** 2 lanes of 8,192 messages, 256 in a batch; groups of up to 200; 4 requests and 1,024 waiting; 999. */
    public static InboxPolicy defaults() {
        return new InboxPolicy(2, 8192, 256, 200, 4, 1024, 999);
    }

    /** This policy with another number of lanes. */
    public InboxPolicy withLanes(int value) {
        return new InboxPolicy(value, queueCapacity, maxBatch, largeGroup, concurrency, requestCapacity, cap);
    }

    /** This policy with another capacity of a lane. */
    public InboxPolicy withQueueCapacity(int value) {
        return new InboxPolicy(lanes, value, maxBatch, largeGroup, concurrency, requestCapacity, cap);
    }

    /** This policy with another limit of a batch. */
    public InboxPolicy withMaxBatch(int value) {
        return new InboxPolicy(lanes, queueCapacity, value, largeGroup, concurrency, requestCapacity, cap);
    }

    /** This policy with another limit of a group. */
    public InboxPolicy withLargeGroup(int value) {
        return new InboxPolicy(lanes, queueCapacity, maxBatch, value, concurrency, requestCapacity, cap);
    }

    /** This policy with another number of requests at once. */
    public InboxPolicy withConcurrency(int value) {
        return new InboxPolicy(lanes, queueCapacity, maxBatch, largeGroup, value, requestCapacity, cap);
    }

    /** This policy with another number of requests that wait. */
    public InboxPolicy withRequestCapacity(int value) {
        return new InboxPolicy(lanes, queueCapacity, maxBatch, largeGroup, concurrency, value, cap);
    }

    /** This policy with another most that is counted. */
    public InboxPolicy withCap(int value) {
        return new InboxPolicy(lanes, queueCapacity, maxBatch, largeGroup, concurrency, requestCapacity, value);
    }

    /** How many threads of the store executor the service uses at most. */
    public int threads() {
        return lanes + concurrency;
    }

    private static void check(String field, int value, int least) {
        if (value < least) {
            throw new InvalidInputException(field, least + " or more, was " + value);
        }
    }
}
