package dev.tidemark.listener.internal;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Logs a fault that repeats: the first at once, then once a minute with a count, so that neither a log is flooded nor a
 * fault that comes back overlooked. Safe for use by many threads.
 */
public final class FaultLog {

    private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private final String what;
    private final LongSupplier nanoTime;
    private boolean logged;
    private long lastLogged;
    private long silent;

    /**
     * Creates the log.
     *
     * @param log where to
     * @param what the fact, as one line without ids
     * @param nanoTime the passing of time
     */
    public FaultLog(Logger log, String what, LongSupplier nanoTime) {
        this.log = log;
        this.what = what;
        this.nanoTime = nanoTime;
    }

    /**
     * Reports a fault.
     *
     * @param ids whom it concerns, for instance {@code conversation c1, seq 7}; asked only for a line that is logged
     * @param fault what was thrown
     */
    public void report(Supplier<String> ids, Throwable fault) {
        long before = count();
        if (before == 0) {
            log.warn("{} [{}]", what, ids.get(), fault);
        } else if (before > 0) {
            log.warn("{}, and {} times since it was last logged [{}]", what, before, ids.get(), fault);
        }
    }

    /** How often it happened in silence, when it is time for a line; -1 otherwise. */
    private synchronized long count() {
        long now = nanoTime.getAsLong();
        if (logged && now - lastLogged < INTERVAL) {
            silent++;
            return -1;
        }
        long before = silent;
        logged = true;
        lastLogged = now;
        silent = 0;
        return before;
    }
}
