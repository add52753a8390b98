package dev.tidemark.concurrent;

import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * What a service runs on. All three belong to whoever made them: a service never shuts them down.
 *
 * @param storeExecutor makes the blocking calls to stores and directory. A service needs as many threads here as it has
 *     lanes and concurrent reads (its policy says how many); with fewer, they take turns
 * @param completeOn completes the stages handed to the host, and with them runs the host's callbacks, so that a callback
 *     that blocks never stalls a lane. One task completes all stages of a batch, in order
 * @param scheduler the time of deadlines and pauses
 */
public record Threads(Executor storeExecutor, Executor completeOn, Scheduler scheduler) {

    /** Checks for nulls. */
    public Threads {
        Objects.requireNonNull(storeExecutor, "storeExecutor");
        Objects.requireNonNull(completeOn, "completeOn");
        Objects.requireNonNull(scheduler, "scheduler");
    }
}
