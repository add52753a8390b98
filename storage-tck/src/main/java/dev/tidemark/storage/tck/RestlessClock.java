package dev.tidemark.storage.tck;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;

/**
 * The clock of a node on which nothing can be built: it jumps forth and back by hours (H32). Reading it takes its time
 * now and then, so that others come in between where a store reads it.
 */
final class RestlessClock extends Clock {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int HOURS = 3_600_000;

    private final Random random;

    RestlessClock(Random random) {
        this.random = random;
    }

    @Override
    public Instant instant() {
        if (random.nextInt(16) == 0) {
            for (int i = random.nextInt(5_000); i > 0; i--) {
                Thread.onSpinWait();
            }
        }
        return START.plusMillis(random.nextInt(6 * HOURS));
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
