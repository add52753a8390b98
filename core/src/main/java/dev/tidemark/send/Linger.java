package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.listener.TidemarkListener;
import java.util.concurrent.RejectedExecutionException;

/**
 * Whether a lane holds its sends back for others to come along, see {@link BatchPolicy#linger()}. Seen by the lane's turns
 * only, apart from the switch and the end.
 */
final class Linger {

    private final int lane;
    private final BatchPolicy policy;
    private final Runnable wake;
    private final Scheduler scheduler;
    private final TidemarkListener listener;

    private volatile Governor.Switch pinned = Governor.Switch.AUTO;
    private volatile boolean ended;

    private boolean suspended;
    private boolean holding;
    private long until;
    private int taken;

    /**
     * Creates it.
     *
     * @param lane the lane's number
     * @param wake brings the lane its next turn
     */
    Linger(int lane, BatchPolicy policy, Runnable wake, Scheduler scheduler, TidemarkListener listener) {
        this.lane = lane;
        this.policy = policy;
        this.wake = wake;
        this.scheduler = scheduler;
        this.listener = listener;
    }

    /** Whether this turn should leave the sends waiting; then there will be another turn, at the latest in time. */
    boolean holds(int waiting) {
        if (policy.linger().isZero() || waiting == 0 || ended) {
            return false;
        }
        if (waiting > policy.lingerRows() && waiting > taken) {
            suspend(true);
        }
        if (waiting >= policy.lingerRows() || !isOn()) {
            holding = false;
            return false;
        }
        long now = scheduler.nanoTime();
        if (!holding) {
            return hold(now);
        }
        holding = until - now > 0;
        return holding;
    }

    /** A turn has taken a batch. */
    void took(int rows) {
        taken = rows;
    }

    /** A turn has left nothing waiting. */
    void drained() {
        suspend(false);
    }

    /** Sets the switch. */
    void pin(Governor.Switch value) {
        pinned = value;
        wake.run();
    }

    /** Nothing more will come along. */
    void end() {
        ended = true;
        wake.run();
    }

    private boolean isOn() {
        return switch (pinned) {
            case ON -> true;
            case OFF -> false;
            case AUTO -> !suspended;
        };
    }

    private boolean hold(long now) {
        try {
            scheduler.schedule(policy.linger(), wake);
        } catch (RejectedExecutionException e) {
            return false;
        }
        until = now + policy.linger().toNanos();
        holding = true;
        return true;
    }

    private void suspend(boolean value) {
        if (suspended != value) {
            suspended = value;
            listener.lingerSuspended(lane, value);
        }
    }
}
