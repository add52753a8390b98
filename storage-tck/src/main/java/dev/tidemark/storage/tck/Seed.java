package dev.tidemark.storage.tck;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** The seed of one randomized test: drawn anew, or taken from {@code -Dtidemark.seed}. */
final class Seed {

    private static final String PROPERTY = "tidemark.seed";

    private final long value;

    private Seed(long value) {
        this.value = value;
    }

    /** Something randomized. */
    @FunctionalInterface
    interface Randomized {
        void run(Seed seed) throws Exception;
    }

    /** Runs it; a failure names the seed. */
    static void run(Randomized randomized) {
        Seed seed = new Seed(Long.getLong(PROPERTY, ThreadLocalRandom.current().nextLong()));
        try {
            randomized.run(seed);
        } catch (Throwable e) {
            throw new AssertionError("Failed with -D" + PROPERTY + "=" + seed.value + ": " + e.getMessage(), e);
        }
    }

    /** The generator of one of several threads, each with a stream of its own. */
    Random random(int stream) {
        return new Random(value + stream * 0x9E3779B97F4A7C15L);
    }
}
