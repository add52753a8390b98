package dev.tidemark.send;

import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where every send of a lane is: in the mailbox, in a backlog, or in the hands of a writer. It is what the writers and the
 * deadlines share, and the lock between them; the lock is never held while a store is called or a caller told.
 */
final class Roster {

    /** What to write next, and the sends of which it was noticed meanwhile that their deadline has come. */
    record Next(Batch batch, List<Batch> alone, List<Send> late, int dropped) {}

    /** The backlogs to hold, and how many sends need not wait there, since their callers have an answer. */
    record Held(Collection<Backlog> backlogs, int dropped) {}

    private final Mailbox<Send> mailbox;
    private final Waiting waiting;
    private final Answers answers;
    private final Set<Batch> inHands = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean abandoned;

    Roster(Mailbox<Send> mailbox, BatchPolicy policy, Answers answers) {
        this.mailbox = mailbox;
        this.waiting = new Waiting(policy);
        this.answers = answers;
    }

    /** Takes the next batches; those that are not empty are in somebody's hands until they are settled or put back. */
    synchronized Next gather(long now) {
        List<Send> late = new ArrayList<>();
        int[] dropped = new int[1];
        List<Batch> alone = waiting.gatherAlone(send -> isWorthwhile(send, now, late, dropped));
        Batch batch = waiting.gather(mailbox, send -> isWorthwhile(send, now, late, dropped));
        inHands.addAll(alone);
        if (!batch.isEmpty()) {
            inHands.add(batch);
        }
        return new Next(batch, alone, late, dropped[0]);
    }

    /** Whether nobody is to write any more. */
    synchronized boolean isAbandoned() {
        return abandoned;
    }

    synchronized boolean hasMore() {
        return !mailbox.isEmpty() || waiting.hasReady();
    }

    /** Whether somebody who stood aside may go on. */
    synchronized boolean hasReady() {
        return waiting.hasReady();
    }

    /** Gives a batch to the store, without the sends that are over; returns how many those were. */
    synchronized int handOver(Batch batch) {
        int dropped = batch.remove(Send::isOver).size();
        batch.sends().forEach(Send::handOver);
        return dropped;
    }

    /** The store does not know what became of a batch, which stays in its writer's hands. */
    synchronized void becomeUnknown(Batch batch) {
        batch.sends().forEach(Send::becomeUnknown);
    }

    /** The store did nothing with a batch; returns the sends taken out of it, which are all but those to keep. */
    synchronized List<Send> takeBack(Batch batch, boolean keepUnknown) {
        batch.sends().forEach(Send::giveBack);
        return batch.remove(send -> !keepUnknown || !send.isUnknown());
    }

    /** A batch is settled, apart from the sends that were deferred. */
    synchronized Held settle(Batch batch, List<Send> deferred) {
        inHands.remove(batch);
        deferred.forEach(Send::giveBack);
        List<Send> waitOn = new ArrayList<>(deferred);
        waitOn.removeIf(send -> abandoned || send.isOver());
        return new Held(waiting.settle(batch, waitOn), deferred.size() - waitOn.size());
    }

    /** Nobody has time for a batch. */
    synchronized Collection<Backlog> putBack(Batch batch) {
        inHands.remove(batch);
        return waiting.putBack(batch);
    }

    /** A backlog was held long enough. */
    synchronized void release(Backlog backlog) {
        waiting.release(backlog);
    }

    /** Empties the mailbox, whose sends nobody can take; returns how many those were. */
    synchronized int turnAway(List<Send> decided) {
        List<Send> away = mailbox.poll(Integer.MAX_VALUE);
        for (Send send : away) {
            if (send.decide(answers.refused(send.draft(), ErrorCode.OVERLOADED))) {
                decided.add(send);
            }
        }
        return away.size();
    }

    /** Decides for every send whose deadline has come, wherever it is; it stays there until it is noticed. */
    synchronized OptionalLong expire(long now, List<Send> late) {
        long[] wait = {Long.MAX_VALUE};
        forEach(send -> {
            if (!send.isDecided()) {
                long left = send.deadline() - now;
                if (left > 0) {
                    wait[0] = Math.min(wait[0], left);
                } else if (expire(send)) {
                    late.add(send);
                }
            }
        });
        return wait[0] == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(now + wait[0]);
    }

    /** Decides for everybody, now that nobody writes any more; returns how many sends need not wait any longer. */
    synchronized int abandon(List<Send> decided) {
        abandoned = true;
        forEach(send -> {
            ErrorCode code = send.isTouched() ? ErrorCode.OUTCOME_UNKNOWN : ErrorCode.CLOSED;
            if (send.decide(answers.refused(send.draft(), code))) {
                decided.add(send);
            }
        });
        return mailbox.poll(Integer.MAX_VALUE).size() + waiting.clear().size();
    }

    /** Frees the places of sends that are over; not called under the lock, since it may end a shutdown. */
    void leave(int sends) {
        if (sends > 0) {
            mailbox.leave(sends);
        }
    }

    private boolean isWorthwhile(Send send, long now, List<Send> late, int[] dropped) {
        if (send.deadline() - now <= 0 && expire(send)) {
            late.add(send);
        }
        if (send.isOver()) {
            dropped[0]++;
            return false;
        }
        return true;
    }

    private boolean expire(Send send) {
        // Untouched in the waiting room it was just too much; of what the store has had, only the store knows.
        ErrorCode code = send.isTouched() ? ErrorCode.OUTCOME_UNKNOWN : ErrorCode.OVERLOADED;
        return send.decide(answers.refused(send.draft(), code));
    }

    private void forEach(Consumer<Send> action) {
        mailbox.waiting().forEach(action);
        waiting.sends().forEach(action);
        inHands.forEach(batch -> batch.sends().forEach(action));
    }
}
