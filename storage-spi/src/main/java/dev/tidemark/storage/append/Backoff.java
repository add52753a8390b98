package dev.tidemark.storage.append;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The pause before a transaction that met a deadlock or a serialization failure is tried again (H35). */
@FunctionalInterface
public interface Backoff {

    /**
     * Pauses the calling thread.
     *
     * @param failures how often it failed so far, 1 or more
     */
    void pause(int failures);

    /** A random pause of up to 2, 4, 8, … milliseconds, so that two transactions that collided do not do so again. */
    static Backoff jittered() {
        return failures -> LockSupport.parkNanos(
                ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(1L << Math.min(failures, 6))));
    }
}
