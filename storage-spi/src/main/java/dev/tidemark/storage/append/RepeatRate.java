package dev.tidemark.storage.append;

/**
 * How often drafts turned out lately to be repeats that were not {@linkplain RecentKeys suspected}. One repeat undoes a whole
 * optimistic batch, a look-up first costs a tenth of the throughput where there are none: which is cheaper depends on what
 * clients do at the moment, so it is measured rather than configured.
 */
final class RepeatRate {

    /** The probability of a wasted batch above which looking first is cheaper than finding out. */
    private static final double WORTH_A_LOOK = 0.1;

    /** The share of the last batch in the moving average. */
    private static final double WEIGHT = 0.05;

    /** Written by several threads without a lock: a lost update of an estimate is not worth one. */
    private volatile double rate;

    /** Whether a batch of this size probably has a repeat in it. */
    boolean isLookFirst(int batchSize) {
        return 1 - Math.pow(1 - rate, batchSize) > WORTH_A_LOOK;
    }

    void observe(int repeats, int batchSize) {
        rate = (1 - WEIGHT) * rate + WEIGHT * repeats / batchSize;
    }
}
