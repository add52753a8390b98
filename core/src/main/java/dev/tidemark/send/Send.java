package dev.tidemark.send;

import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.push.Delivery;
import dev.tidemark.storage.Draft;
import org.jspecify.annotations.Nullable;

/**
 * An accepted send on its way. It is its caller's stage as well: one object for both, since there is one for every message.
 * What the store may have done with it is guarded by its lane.
 */
final class Send extends Reply<SendResult> {

    private final Draft draft;
    private final @Nullable String fromDevice;
    private final @Nullable Delivery delivery;
    private final long begin;
    private final long deadline;

    /** When its sender may send again, if this came too fast; 0 if it did not. In the readings of the scheduler. */
    private long tooFastUntil;

    /** The store has it and did not answer yet. */
    private boolean handed;

    /** The store has had it and did not say what came of it. Stays until it says so. */
    private boolean unknown;

    /**
     * Takes a request that was found right.
     *
     * @param begin now, in the readings of the scheduler
     * @param deadline in the same readings
     */
    Send(SendRequest request, long begin, long deadline) {
        this.draft = request.draft();
        this.fromDevice = request.fromDevice();
        this.delivery = request.delivery();
        this.begin = begin;
        this.deadline = deadline;
    }

    Draft draft() {
        return draft;
    }

    String conversation() {
        return draft.conversation();
    }

    @Nullable String fromDevice() {
        return fromDevice;
    }

    @Nullable Delivery delivery() {
        return delivery;
    }

    /** When it was accepted, in the readings of the scheduler. */
    long begin() {
        return begin;
    }

    /** When its caller wants to know, in the readings of the scheduler. */
    long deadline() {
        return deadline;
    }

    boolean isUnknown() {
        return unknown;
    }

    boolean isTooFast() {
        return tooFastUntil != 0;
    }

    long tooFastUntil() {
        return tooFastUntil;
    }

    /** Remembers that it came too fast; called before it is in anybody's hands. */
    void tooFastUntil(long time) {
        // A reading can be any number, 0 included, which stands for none here.
        tooFastUntil = time == 0 ? 1 : time;
    }

    /** Whether it cannot be said any more that nothing was done. */
    boolean isTouched() {
        return handed || unknown;
    }

    /** Whether nobody needs anything of it any more: its caller has an answer, and no outcome is open. */
    boolean isOver() {
        return isDecided() && !isTouched();
    }

    void handOver() {
        handed = true;
    }

    /** The store has answered, and did nothing with it this time. */
    void giveBack() {
        handed = false;
    }

    /** The store has answered that it does not know. */
    void becomeUnknown() {
        handed = false;
        unknown = true;
    }
}
