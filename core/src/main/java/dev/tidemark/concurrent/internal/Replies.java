package dev.tidemark.concurrent.internal;

import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers replies on the executor the host named: all of a batch by one task, in order, since waking one thread for each
 * costs more than the work itself.
 */
public final class Replies {

    private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

    private final Executor completeOn;

    /** Delivers on the given executor. */
    public Replies(Executor completeOn) {
        this.completeOn = completeOn;
    }

    /** Delivers replies that are all decided. Never throws. */
    public void deliver(List<? extends Reply<?>> decided) {
        if (decided.isEmpty()) {
            return;
        }
        try {
            completeOn.execute(() -> complete(decided));
        } catch (Throwable e) {
            // An answer is worth more than the thread it comes on.
            LOG.debug("the executor for completions refused {} replies; delivered on this thread", decided.size(), e);
            complete(decided);
        }
    }

    private static void complete(List<? extends Reply<?>> decided) {
        for (Reply<?> reply : decided) {
            try {
                reply.deliver();
            } catch (Throwable e) {
                // Stages keep what callbacks throw; what still comes out must not cost the others their answer.
                LOG.warn("completing a stage threw", e);
            }
        }
    }
}
