package dev.tidemark.concurrent.internal;

import dev.tidemark.concurrent.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/** The end of a service: drain to a deadline, then answer what is left. */
public final class Shutdown {

    private Shutdown() {}

    /**
     * Waits, without a thread, until work is done.
     *
     * @param idle completes when it is
     * @param deadline how long to wait for that
     * @param scheduler the time
     * @param abandon run once when the deadline comes first
     * @return completes when the work is done or abandoned
     */
    public static CompletionStage<Void> within(
            CompletionStage<Void> idle, Duration deadline, Scheduler scheduler, Runnable abandon) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Runnable giveUp = () -> {
            if (!done.isDone()) {
                abandon.run();
                done.complete(null);
            }
        };
        try {
            Scheduler.Cancellable timer = scheduler.schedule(deadline, giveUp);
            idle.whenComplete((nothing, error) -> {
                timer.cancel();
                done.complete(null);
            });
        } catch (RejectedExecutionException e) {
            // Nobody could tell when the deadline has come.
            giveUp.run();
        }
        return done;
    }

    /** Completes when all of them have. */
    public static CompletionStage<Void> all(Iterable<? extends CompletionStage<Void>> stages) {
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (CompletionStage<Void> stage : stages) {
            all = all.thenCombine(stage, (a, b) -> null);
        }
        return all;
    }
}
