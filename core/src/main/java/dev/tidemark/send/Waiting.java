package dev.tidemark.send;

import dev.tidemark.concurrent.internal.Mailbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who is next in a lane. Mostly that is whoever is first in the mailbox; the conversations that are held up stand aside in
 * backlogs and hold up no other (H41), and within each conversation nobody overtakes (H42). Guarded by its lane.
 */
final class Waiting {

    /** A conversation that was deferred this often in a row is waited for alone. */
    static final int DEFERRALS_BEFORE_ALONE = 3;

    private final BatchPolicy policy;

    private final Map<String, Backlog> backlogs = new HashMap<>();

    /** The backlogs that may go with the next batch; the others are held, or a writer has their first sends. */
    private final Deque<Backlog> ready = new ArrayDeque<>();

    /** The backlogs that may be waited for alone. */
    private final Deque<Backlog> alone = new ArrayDeque<>();

    Waiting(BatchPolicy policy) {
        this.policy = policy;
    }

    /** Whether there is something to gather apart from the mailbox. */
    boolean hasReady() {
        return !ready.isEmpty() || !alone.isEmpty();
    }

    /**
     * Takes the next batch.
     *
     * @param mailbox the sends that just came
     * @param worthwhile called for each send that is next; one that is not is dropped
     */
    Batch gather(Mailbox<Send> mailbox, Predicate<Send> worthwhile) {
        Batch batch = new Batch(policy);
        // Those who stood aside were first, but when they are many they leave half of the batch to the others.
        gatherReady(batch, mailbox.isEmpty() ? policy.maxRows() : (policy.maxRows() + 1) / 2, worthwhile);
        gatherFresh(batch, mailbox, worthwhile);
        return batch;
    }

    /** Takes a batch of each conversation that is to be waited for alone. */
    List<Batch> gatherAlone(Predicate<Send> worthwhile) {
        List<Batch> batches = new ArrayList<>();
        for (Backlog backlog = alone.poll(); backlog != null; backlog = alone.poll()) {
            Batch batch = new Batch(policy);
            take(batch, backlog, policy.maxRows(), worthwhile);
            if (!batch.isEmpty()) {
                batches.add(batch);
            }
        }
        return batches;
    }

    /**
     * Goes on after a batch.
     *
     * @param batch the batch, of which every send was settled or deferred
     * @param deferred the sends that were deferred, in the order of the batch
     * @return the backlogs of the deferred ones; they are held until they are {@linkplain #release released}
     */
    Collection<Backlog> settle(Batch batch, List<Send> deferred) {
        Set<Backlog> held = putBack(deferred);
        held.forEach(Backlog::deferred);
        for (Backlog source : batch.sources()) {
            if (!held.contains(source)) {
                source.progressed();
                release(source);
            }
        }
        return held;
    }

    /** Takes back a batch that nobody had time for; its backlogs are held until they are released. */
    Collection<Backlog> putBack(Batch batch) {
        return putBack(batch.sends());
    }

    /** Lets a backlog take part again. */
    void release(Backlog backlog) {
        if (backlog.isEmpty()) {
            backlogs.remove(backlog.conversation(), backlog);
        } else if (backlog.deferrals() < DEFERRALS_BEFORE_ALONE) {
            ready.add(backlog);
        } else {
            alone.add(backlog);
        }
    }

    /** Every send in a backlog. */
    List<Send> sends() {
        List<Send> sends = new ArrayList<>();
        for (Backlog backlog : backlogs.values()) {
            backlog.sends().forEach(sends::add);
        }
        return sends;
    }

    /** Forgets every send in a backlog; returns them. */
    List<Send> clear() {
        List<Send> sends = sends();
        // A writer or a timer may still have a backlog in hand; it finds it empty.
        backlogs.values().forEach(Backlog::clear);
        backlogs.clear();
        ready.clear();
        alone.clear();
        return sends;
    }

    private void gatherReady(Batch batch, int rows, Predicate<Send> worthwhile) {
        for (int left = ready.size(); left > 0 && batch.size() < rows; left--) {
            Backlog backlog = ready.remove();
            if (!take(batch, backlog, rows, worthwhile)) {
                ready.addFirst(backlog);
                return;
            }
        }
    }

    /** Takes what a conversation may have of a batch; says false when that has no room for its first send. */
    private boolean take(Batch batch, Backlog backlog, int rows, Predicate<Send> worthwhile) {
        int taken = 0;
        Send next = backlog.peek();
        while (next != null && taken < policy.maxPerConversation() && batch.size() < rows) {
            if (!worthwhile.test(next)) {
                backlog.removeFirst();
            } else if (batch.hasRoomFor(next)) {
                batch.add(next);
                backlog.removeFirst();
                taken++;
            } else {
                break;
            }
            next = backlog.peek();
        }
        if (taken > 0) {
            batch.addSource(backlog);
        } else if (next == null) {
            backlogs.remove(backlog.conversation());
        }
        return taken > 0 || next == null;
    }

    private void gatherFresh(Batch batch, Mailbox<Send> mailbox, Predicate<Send> worthwhile) {
        Map<String, Integer> counts = policy.maxPerConversation() < policy.maxRows() ? new HashMap<>() : null;
        for (Send next = mailbox.peek(); next != null && batch.size() < policy.maxRows(); next = mailbox.peek()) {
            Backlog backlog = backlogs.isEmpty() ? null : backlogs.get(next.conversation());
            if (!worthwhile.test(next)) {
                mailbox.poll();
            } else if (backlog != null) {
                backlog.add(next);
                mailbox.poll();
            } else if (!batch.hasRoomFor(next)) {
                return;
            } else if (exceedsShare(next, counts)) {
                standAside(next);
                mailbox.poll();
            } else {
                batch.add(next);
                mailbox.poll();
            }
        }
    }

    private boolean exceedsShare(Send send, @Nullable Map<String, Integer> counts) {
        return counts != null && counts.merge(send.conversation(), 1, Integer::sum) > policy.maxPerConversation();
    }

    private void standAside(Send send) {
        Backlog backlog = new Backlog(send.conversation());
        backlog.add(send);
        backlogs.put(send.conversation(), backlog);
        ready.add(backlog);
    }

    private Set<Backlog> putBack(List<Send> sends) {
        Set<Backlog> backs = new LinkedHashSet<>();
        // The last one first, so that each comes to stand before the one that followed it.
        for (int i = sends.size() - 1; i >= 0; i--) {
            Backlog backlog = backlogs.computeIfAbsent(sends.get(i).conversation(), Backlog::new);
            backlog.addFirst(sends.get(i));
            backs.add(backlog);
        }
        if (!ready.isEmpty()) {
            ready.removeAll(backs);
        }
        return backs;
    }
}
