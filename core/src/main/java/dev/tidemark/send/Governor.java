package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.listener.TidemarkListener;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Watches the load of a partition, that is of one database, and says what optional work to leave out, so that a store that
 * stumbles is not finished off. Each switch is told to the listener and can be pinned by hand. Safe for use by many threads.
 */
public final class Governor {

    /** How a switch is set. */
    public enum Switch {
        /** By the load. */
        AUTO,
        /** The work is done whatever the load. */
        ON,
        /** The work is left out whatever the load. */
        OFF
    }

    /** What was seen longer ago than this says nothing any more. */
    private static final long STALE = Duration.ofSeconds(5).toNanos();

    /** So often the load is looked at where nothing is committed. */
    private static final long INTERVAL = Duration.ofMillis(500).toNanos();

    private final int partition;
    private final ShedPolicy policy;
    private final DoubleSupplier fill;
    private final Scheduler scheduler;
    private final TidemarkListener listener;

    private final Map<OptionalWork, Switch> switches = new EnumMap<>(OptionalWork.class);
    private double latency;
    private double errors;
    private int failuresInARow;
    private long lastSeen;
    private volatile long lastLook;

    /** What is left out: replaced under the lock, and read without it for every batch. */
    private volatile Set<OptionalWork> left = Set.of();

    /**
     * Creates a governor.
     *
     * @param partition whose load
     * @param policy what to leave out when
     * @param fill how full the partition's queues are, from 0 to 1
     * @param scheduler the passing of time
     * @param listener told of switches
     */
    Governor(int partition, ShedPolicy policy, DoubleSupplier fill, Scheduler scheduler, TidemarkListener listener) {
        this.partition = partition;
        this.policy = policy;
        this.fill = fill;
        this.scheduler = scheduler;
        this.listener = listener;
        this.lastSeen = scheduler.nanoTime();
        this.lastLook = lastSeen;
        for (OptionalWork work : OptionalWork.values()) {
            switches.put(work, Switch.AUTO);
        }
    }

    /** Whose load it watches: a partition of the message store, 0 where it has none. */
    public int partition() {
        return partition;
    }

    /** Whether this work is to be left out now. */
    public boolean leavesOut(OptionalWork work) {
        long now = scheduler.nanoTime();
        if (!left.isEmpty() && now - lastLook > INTERVAL) {
            look(now);
        }
        return left.contains(work);
    }

    /** Sets a switch by hand, or back to {@link Switch#AUTO}. */
    public synchronized void pin(OptionalWork work, Switch value) {
        switches.put(work, value);
        look(scheduler.nanoTime());
    }

    /** The load now: 0 for none, 1 for as much as can be, more for commits that are slower than slow. */
    public synchronized double load() {
        return load(scheduler.nanoTime());
    }

    /** A batch was stored. */
    synchronized void committed(long nanos) {
        long now = scheduler.nanoTime();
        forgetWhatIsStale(now);
        latency += ((double) nanos / policy.slowCommit().toNanos() - latency) / 8;
        errors -= errors / 4;
        failuresInARow = 0;
        lastSeen = now;
        look(now);
    }

    /** A batch was not stored, or not that anybody knew. */
    synchronized void failed() {
        long now = scheduler.nanoTime();
        forgetWhatIsStale(now);
        errors += (1 - errors) / 4;
        failuresInARow = Math.min(failuresInARow + 1, 10);
        lastSeen = now;
        look(now);
    }

    synchronized int failuresInARow() {
        return failuresInARow;
    }

    private double load(long now) {
        forgetWhatIsStale(now);
        return Math.max(fill.getAsDouble(), Math.max(latency, errors));
    }

    private void forgetWhatIsStale(long now) {
        if (now - lastSeen > STALE) {
            latency = 0;
            errors = 0;
        }
    }

    private synchronized void look(long time) {
        lastLook = time;
        double load = load(time);
        Set<OptionalWork> before = left;
        Set<OptionalWork> now = EnumSet.noneOf(OptionalWork.class);
        for (OptionalWork work : OptionalWork.values()) {
            if (isLeft(work, before.contains(work), load)) {
                now.add(work);
            }
        }
        if (!now.equals(before)) {
            left = Set.copyOf(now);
            for (OptionalWork work : OptionalWork.values()) {
                if (now.contains(work) != before.contains(work)) {
                    listener.workLeftOut(partition, work.name(), now.contains(work));
                }
            }
        }
    }

    private boolean isLeft(OptionalWork work, boolean was, double load) {
        return switch (switches.getOrDefault(work, Switch.AUTO)) {
            case ON -> false;
            case OFF -> true;
            case AUTO -> load >= policy.threshold(work) - (was ? ShedPolicy.HYSTERESIS : 0);
        };
    }
}
