package dev.tidemark.storage.append;

import java.time.Duration;

/** How {@link AppendPrimitives#appendFresh} takes the locks of its conversations. */
public enum Locking {
    /**
     * In whatever order is fastest, giving up when one is not free within {@link #PATIENCE}. Right as long as nobody else
     * writes to the same conversations, since two writers who do could wait for each other.
     */
    ANY_ORDER,

    /**
     * In the order of the conversations, giving up when one is not free within {@link #PATIENCE}. Other appends are over in
     * a moment: waiting for them in line is faster than coming again, and keeps the order of arrival.
     */
    IN_ORDER,

    /** Without waiting: conversations that are locked are passed over. */
    PASSING_OVER;

    /** How long to wait for one conversation: several times what an append takes. */
    public static final Duration PATIENCE = Duration.ofMillis(20);
}
