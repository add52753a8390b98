package dev.tidemark.fetch;

import dev.tidemark.error.InvalidInputException;

/**
 * How much is read at once. Immutable.
 *
 * @param concurrency how many pages are read at once, 1 or more; each uses a thread of the store executor
 * @param queueCapacity how many more requests may wait for their turn, 0 or more; what comes on top is refused as
 *     overloaded
 */
public record FetchPolicy(int concurrency, int queueCapacity) {

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public FetchPolicy {
        if (concurrency < 1) {
            throw new InvalidInputException("concurrency", "1 or more, was " + concurrency);
        }
        if (queueCapacity < 0) {
            throw new InvalidInputException("queueCapacity", "0 or more, was " + queueCapacity);
        }
    }

    /** 2 reads per processor, but at least 4, and 1,024 requests waiting. */
    public static FetchPolicy defaults() {
        return new FetchPolicy(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()), 1024);
    }

    /** This policy with another number of reads at once. */
    public FetchPolicy withConcurrency(int value) {
        return new FetchPolicy(value, queueCapacity);
    }

    /** This policy with another number of requests waiting. */
    public FetchPolicy withQueueCapacity(int value) {
        return new FetchPolicy(concurrency, value);
    }
}
