package dev.tidemark.testing;

import java.util.concurrent.CompletionStage;

/** Looks at stages. */
public final class Stages {

    private Stages() {}

    /** The value of a stage that is complete by now. */
    public static <T> T now(CompletionStage<T> stage) {
        T value = stage.toCompletableFuture().getNow(null);
        if (value == null) {
            throw new AssertionError("not complete yet: " + stage);
        }
        return value;
    }

    /** Whether a stage is complete by now. */
    public static boolean isDone(CompletionStage<?> stage) {
        return stage.toCompletableFuture().isDone();
    }
}
