package dev.tidemark.cursor;

import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.storage.CursorKey;

/** A device's word that waits for its turn, or an administrator's, and its caller's stage. */
final class Ack extends Reply<AckResult> {

    private final CursorKey key;
    private final long seq;
    private final boolean reset;

    Ack(CursorKey key, long seq, boolean reset) {
        this.key = key;
        this.seq = seq;
        this.reset = reset;
    }

    CursorKey key() {
        return key;
    }

    long seq() {
        return seq;
    }

    /** Whether it is an administrator's: the cursor goes where it says. */
    boolean isReset() {
        return reset;
    }
}
