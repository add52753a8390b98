package dev.tidemark.testing;

import dev.tidemark.concurrent.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * Time and threads for tests that run on the test's own thread alone: tasks wait until they are run, time stands still until
 * it is moved. With a seed, tasks that wait together run in the seed's order, as they might on a pool.
 */
public final class VirtualTime implements Scheduler, Executor {

    private record Timer(long at, long number, Runnable task) {}

    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Timer> timers = new PriorityQueue<>(
            (a, b) -> a.at() != b.at() ? Long.compare(a.at(), b.at()) : Long.compare(a.number(), b.number()));
    private final List<Runnable> ready = new ArrayList<>();
    private final Random order;
    private long now;
    private long numbers;

    /** Tasks run in the order in which they came. */
    public VirtualTime() {
        this.order = null;
    }

    /** Tasks run in the order of the seed. */
    public VirtualTime(long seed) {
        this.order = new Random(seed);
    }

    @Override
    public void execute(Runnable task) {
        ready.add(task);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(now + Math.max(0, delay.toNanos()), numbers++, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** Begins near the end of the numbers, so that whoever compares readings rather than differences is found out. */
    @Override
    public long nanoTime() {
        return Long.MAX_VALUE - Duration.ofSeconds(3).toNanos() + now;
    }

    /** A wall clock that goes with this time. */
    public Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Instant instant() {
                return EPOCH.plusNanos(now);
            }
        };
    }

    /** Runs one waiting task; says whether there was one. */
    public boolean step() {
        if (ready.isEmpty()) {
            return false;
        }
        ready.remove(order == null ? 0 : order.nextInt(ready.size())).run();
        return true;
    }

    /** Runs tasks until none waits. Time does not pass. */
    public void run() {
        while (step()) {}
    }

    /** Lets time pass, with everything that becomes due on the way. */
    public void advance(Duration by) {
        long end = now + by.toNanos();
        run();
        while (!timers.isEmpty() && timers.peek().at() <= end) {
            Timer next = timers.remove();
            now = Math.max(now, next.at());
            next.task().run();
            run();
        }
        now = end;
    }

    /** Lets time pass while everybody is busy with something else: what becomes due and what waits is left waiting. */
    public void skip(Duration by) {
        now += by.toNanos();
    }

    /** Rings what has become due, and leaves waiting what that puts in line. */
    public void ring() {
        while (!timers.isEmpty() && timers.peek().at() <= now) {
            timers.remove().task().run();
        }
    }

    /** How many timers are set. */
    public int timers() {
        return timers.size();
    }
}
