package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Knows which pushes their devices have not acknowledged, and brings them back for another try until they have, or until the
 * tries are used up. A record outlives its last try by a grace, since the answer may be under way. Bounded. Safe for use by
 * many threads.
 */
final class AckTracker {

    /** How long an answer to the last try may take. */
    static final Duration GRACE = Duration.ofSeconds(5);

    /** What becomes of pushes that were not acknowledged. */
    interface Unacknowledged {

        /** It is time for another try. */
        void retry(Pending pending);

        /** There are no more tries: the device is to be told to sync. */
        void giveUp(Pending pending);
    }

    /** Of the records that are only compared with. */
    private static final Session NOBODY = new Session(new DeviceId("-", "-"), "-", 0);

    private final RetryPolicy policy;
    private final int capacity;
    private final Unacknowledged unacknowledged;
    private final TidemarkListener listener;
    private final Map<Duration, FixedDelay> delays = new HashMap<>();
    private final FixedDelay grace;

    /** A device's pushes are changed while the map holds the device's entry, and so by one thread at a time. */
    private final ConcurrentHashMap<DeviceId, NavigableSet<Pending>> byDevice = new ConcurrentHashMap<>();

    private final AtomicInteger size = new AtomicInteger();

    /**
     * Creates a tracker.
     *
     * @param policy how often to try
     * @param capacity how many pushes may be pending
     * @param scheduler the time of tries
     * @param unacknowledged called on the scheduler's thread, or on that of whoever expects one push too many
     * @param listener told of what happens
     */
    AckTracker(
            RetryPolicy policy,
            int capacity,
            Scheduler scheduler,
            Unacknowledged unacknowledged,
            TidemarkListener listener) {
        this.policy = policy;
        this.capacity = capacity;
        this.unacknowledged = unacknowledged;
        this.listener = listener;
        this.grace = new FixedDelay(GRACE, scheduler, this::due);
        for (Delivery delivery : Delivery.values()) {
            for (Duration delay : policy.delays(delivery)) {
                delays.computeIfAbsent(delay, key -> new FixedDelay(delay, scheduler, this::due));
            }
        }
    }

    /**
     * Expects an acknowledgement, from before the transport has the push, as the answer may come before that returns (H26).
     *
     * @return the record, which is to be told of every try; null when none is needed: this sort is not acknowledged, the
     *     push is pending already, or there are too many
     */
    @Nullable Pending expect(Session session, Push.Message push) {
        if (!policy.isAcknowledged(push.delivery())) {
            return null;
        }
        Pending pending = new Pending(
                session, push.message().conversation(), push.message().seq(), push.delivery());
        if (size.get() >= capacity) {
            giveUp(pending);
            return null;
        }
        boolean[] added = new boolean[1];
        byDevice.compute(session.device(), (device, held) -> {
            NavigableSet<Pending> pushes = held == null ? new TreeSet<>(Pending.BY_PLACE) : held;
            added[0] = add(pushes, pending);
            return pushes;
        });
        return added[0] ? pending : null;
    }

    /** The transport had it: from here the next try is counted. */
    void tried(Pending pending) {
        pending.countTry();
        List<Duration> between = policy.delays(pending.delivery());
        FixedDelay next = pending.tries() <= between.size()
                ? delays.getOrDefault(between.get(pending.tries() - 1), grace)
                : grace;
        next.add(pending);
    }

    /** A device has a push. Said again, or of what is not pending, it means nothing. */
    void acknowledged(DeviceId device, String conversation, long seq) {
        end(device, conversation, seq, seq);
    }

    /** A device has rendered everything up to a sequence. */
    void rendered(DeviceId device, String conversation, long upTo) {
        end(device, conversation, 0, upTo);
    }

    /** A session has ended, or was fenced by a newer one. */
    void closed(Session session) {
        remove(session.device(), pushes -> {
            List<Pending> own = new ArrayList<>(pushes);
            own.removeIf(pending -> pending.session().incarnation() > session.incarnation());
            return own;
        });
    }

    /** Gives it up without another try: it could not be put in line for one. */
    void drop(Pending pending) {
        if (remove(pending)) {
            giveUp(pending);
        }
    }

    /** How many pushes are pending. */
    int size() {
        return size.get();
    }

    /** Forgets everything. */
    void clear() {
        delays.values().forEach(FixedDelay::clear);
        grace.clear();
        byDevice.keySet().forEach(device -> remove(device, ArrayList::new));
    }

    private void due(Pending pending) {
        if (pending.isOver()) {
            return;
        }
        if (pending.tries() <= policy.delays(pending.delivery()).size()) {
            unacknowledged.retry(pending);
        } else {
            drop(pending);
        }
    }

    private void giveUp(Pending pending) {
        listener.pushGivenUp(pending.session(), pending.conversation(), pending.seq(), pending.tries());
        unacknowledged.giveUp(pending);
    }

    private boolean add(NavigableSet<Pending> pushes, Pending pending) {
        if (pushes.add(pending)) {
            size.incrementAndGet();
            return true;
        }
        Pending earlier = pushes.floor(pending);
        if (earlier == null
                || earlier.session().incarnation() >= pending.session().incarnation()) {
            return false;
        }
        // It belongs to a session that a newer one has fenced.
        pushes.remove(earlier);
        earlier.end();
        return pushes.add(pending);
    }

    private void end(DeviceId device, String conversation, long from, long upTo) {
        List<Pending> ended = remove(
                device,
                pushes -> new ArrayList<>(
                        pushes.subSet(probe(conversation, from), true, probe(conversation, upTo), true)));
        for (Pending pending : ended) {
            listener.pushAcknowledged(pending.session(), conversation, pending.seq(), pending.tries());
        }
    }

    private boolean remove(Pending pending) {
        return !remove(
                        pending.session().device(),
                        pushes -> pushes.floor(pending) == pending ? List.of(pending) : List.of())
                .isEmpty();
    }

    private List<Pending> remove(DeviceId device, Function<NavigableSet<Pending>, List<Pending>> which) {
        List<Pending> removed = new ArrayList<>();
        byDevice.computeIfPresent(device, (key, pushes) -> {
            removed.addAll(which.apply(pushes));
            removed.forEach(pushes::remove);
            return pushes.isEmpty() ? null : pushes;
        });
        size.addAndGet(-removed.size());
        removed.forEach(Pending::end);
        return removed;
    }

    private static Pending probe(String conversation, long seq) {
        return new Pending(NOBODY, conversation, seq, Delivery.C2C);
    }
}
