package dev.tidemark.concurrent.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The work of a mailbox. Of one mailbox, one method runs at a time, and each sees everything the one before it wrote.
 * Neither may throw.
 */
public interface Turn {

    /**
     * Works on what waits.
     *
     * @return when to take the next turn: null for when the mailbox is woken, zero for at once, more for after a pause in
     *     which nothing wakes it
     */
    @Nullable Duration take();

    /**
     * Called in place of a turn when the executor refuses one, on whichever thread it was that asked: gives up what can be
     * given up, and must not block.
     *
     * @param refusal what the executor threw
     * @return as {@link #take()}
     */
    @Nullable Duration refused(Throwable refusal);
}
