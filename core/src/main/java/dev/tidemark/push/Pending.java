package dev.tidemark.push;

import dev.tidemark.storage.Session;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A push that its device has not acknowledged yet. It holds ids and no body, since there may be a million of them. */
final class Pending {

    /** Of one device: by conversation, then by sequence. */
    static final Comparator<Pending> BY_PLACE =
            Comparator.comparing(Pending::conversation).thenComparingLong(Pending::seq);

    private final Session session;
    private final String conversation;
    private final long seq;
    private final Delivery delivery;

    private int tries;

    /** Acknowledged, or nobody's concern any more. */
    private volatile boolean over;

    /** What it waits in for its next try; guarded by that, but for a look at who it is. */
    private volatile @Nullable FixedDelay waitsIn;

    /** When its wait ends, in the readings of the scheduler; guarded by what it waits in. */
    private long due;

    Pending(Session session, String conversation, long seq, Delivery delivery) {
        this.session = session;
        this.conversation = conversation;
        this.seq = seq;
        this.delivery = delivery;
    }

    Session session() {
        return session;
    }

    String conversation() {
        return conversation;
    }

    long seq() {
        return seq;
    }

    Delivery delivery() {
        return delivery;
    }

    /** How often the transport had it. */
    int tries() {
        return tries;
    }

    void countTry() {
        tries++;
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
        FixedDelay delay = waitsIn;
        if (delay != null) {
            delay.remove(this);
        }
    }

    void waitIn(@Nullable FixedDelay delay) {
        waitsIn = delay;
    }

    long due() {
        return due;
    }

    void dueAt(long reading) {
        due = reading;
    }
}
