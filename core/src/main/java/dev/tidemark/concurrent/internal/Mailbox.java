package dev.tidemark.concurrent.internal;

import dev.tidemark.concurrent.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue with one worker at a time: what every lane is made of. Any thread may offer; the worker takes turns on an
 * executor, finds in a turn all that has gathered since the last one, and occupies no thread while there is nothing to do.
 *
 * <p>An item takes a place from the moment it is offered until the worker says that it is {@linkplain #leave done with};
 * that bounds what the worker itself keeps as well. A mailbox takes nothing before it is opened.
 *
 * @param <T> the items
 */
public final class Mailbox<T> {

    /** What became of an offer. */
    public enum Offer {
        /** It waits for its turn. */
        TAKEN,
        /** No place is free. */
        FULL,
        /** The mailbox was not opened yet, or is closed. */
        CLOSED
    }

    private enum State {
        /** No turn is under way or due. */
        IDLE,
        /** A turn is due or under way, and will see everything offered before it began. */
        BUSY,
        /** Something was offered that the turn under way may not have seen. */
        WOKEN,
        /** The worker pauses: a timer brings its next turn. */
        PAUSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

    /** After a turn that threw, against its promise. */
    private static final Duration AFTER_BUG = Duration.ofMillis(100);

    /** Turns taken before the thread is given back, for others to have it: waking one for each costs more than some turns. */
    private static final int TURNS_IN_A_ROW = 16;

    private final int capacity;
    private final Executor executor;
    private final Scheduler scheduler;
    private final Turn worker;

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean open;

    /**
     * Creates a mailbox that takes nothing yet.
     *
     * @param capacity how many items may have a place
     * @param executor runs the turns
     * @param scheduler ends the pauses
     * @param worker takes the turns
     */
    public Mailbox(int capacity, Executor executor, Scheduler scheduler, Turn worker) {
        this.capacity = capacity;
        this.executor = executor;
        this.scheduler = scheduler;
        this.worker = worker;
    }

    /** Takes offers from now on. */
    public void open() {
        open = true;
    }

    /** Offers an item. */
    public Offer offer(T item) {
        if (!open) {
            return Offer.CLOSED;
        }
        if (places.incrementAndGet() > capacity) {
            leave(1);
            return Offer.FULL;
        }
        // Looked at again now that the place is taken: either close() sees the place, or this sees the close.
        if (!open) {
            leave(1);
            return Offer.CLOSED;
        }
        queue.add(item);
        wake();
        return Offer.TAKEN;
    }

    /** Sees to it that a turn begins after this call, unless the worker pauses: then the pause is kept. */
    public void wake() {
        while (true) {
            State now = state.get();
            if (now == State.WOKEN || now == State.PAUSED) {
                return;
            }
            if (now == State.IDLE && state.compareAndSet(State.IDLE, State.BUSY)) {
                run();
                return;
            }
            if (now == State.BUSY && state.compareAndSet(State.BUSY, State.WOKEN)) {
                return;
            }
        }
    }

    /** The oldest item, which stays; null when there is none. Only within a turn. */
    public @Nullable T peek() {
        return queue.peek();
    }

    /** Takes the oldest item, which keeps its place; null when there is none. Only within a turn. */
    public @Nullable T poll() {
        return queue.poll();
    }

    /** Takes up to {@code max} items, which keep their places. Only within a turn. */
    public List<T> poll(int max) {
        List<T> items = new ArrayList<>();
        while (items.size() < max) {
            T item = queue.poll();
            if (item == null) {
                break;
            }
            items.add(item);
        }
        return items;
    }

    /** The items that no turn has taken yet, as they are seen by an iteration that runs beside offers. */
    public Iterable<T> waiting() {
        return queue;
    }

    /** Whether no item waits to be taken. */
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** How many items have a place. */
    public int size() {
        return places.get();
    }

    /** Frees the places of items that the worker is done with. */
    public void leave(int items) {
        if (places.addAndGet(-items) == 0 && !open) {
            idle.complete(null);
        }
    }

    /**
     * Takes no more offers.
     *
     * @return completes when no item has a place any more
     */
    public CompletionStage<Void> close() {
        open = false;
        if (places.get() == 0) {
            idle.complete(null);
        }
        return idle;
    }

    /** Asks for a turn; whoever calls this has made the mailbox busy, or ends its pause. */
    private void run() {
        Duration next;
        do {
            try {
                executor.execute(this::turns);
                return;
            } catch (Throwable e) {
                // Turns contain what they throw, so this is the executor's: a refusal, or no memory for another thread.
                state.set(State.BUSY);
                next = worker.refused(e);
            }
        } while (!rest(next));
    }

    private void turns() {
        for (int i = 0; i < TURNS_IN_A_ROW; i++) {
            if (rest(turn())) {
                return;
            }
        }
        run();
    }

    private @Nullable Duration turn() {
        state.set(State.BUSY);
        try {
            return worker.take();
        } catch (Throwable e) {
            LOG.error("a turn threw, which it must not: what it had taken may be lost", e);
            return AFTER_BUG;
        }
    }

    /** Goes idle or pauses, if there is nothing to do at once. */
    private boolean rest(@Nullable Duration next) {
        if (next == null) {
            return state.compareAndSet(State.BUSY, State.IDLE);
        }
        return !next.isZero() && pause(next);
    }

    private boolean pause(Duration pause) {
        state.set(State.PAUSED);
        try {
            scheduler.schedule(pause, this::run);
        } catch (RejectedExecutionException e) {
            LOG.warn("the scheduler refused a pause of {}: work waits until something is offered or closed", pause, e);
            state.set(State.IDLE);
        }
        return true;
    }
}
