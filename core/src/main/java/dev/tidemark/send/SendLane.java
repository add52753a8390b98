package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.Backoff;
import dev.tidemark.concurrent.internal.Gate;
import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.concurrent.internal.Replies;
import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.concurrent.internal.Turn;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.MessageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One writer and the sends that wait for it: group commit. A turn writes one batch, and the next turn takes what has come
 * since. The lane never waits for anything but the store: a locked conversation stands aside (H41), and between the replays
 * of a batch whose outcome is unknown (H6) the lane pauses without a thread.
 */
final class SendLane implements Turn {

    private static final Logger LOG = LoggerFactory.getLogger(SendLane.class);

    private static final Backoff DEFERRAL = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1));
    private static final Backoff REPLAY = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));

    private final int number;
    private final Admission admission;
    private final int placesForTheTooFast;
    private final Duration lockWait;
    private final Gate<Gate.Task> lockWaiters;
    private final Scheduler scheduler;
    private final TidemarkListener listener;
    private final Mailbox<Send> mailbox;
    private final Answers answers;
    private final Roster roster;
    private final BatchWriter writer;
    private final DeadlineTimer deadlines;
    private final Linger linger;

    /** What the next turn has to write first. Seen by turns only. */
    private @Nullable Batch unresolved;

    SendLane(
            int number,
            MessageStore store,
            Admission admission,
            AfterStore afterStore,
            Governor governor,
            SendPolicy policy,
            BatchPolicy batchPolicy,
            Gate<Gate.Task> lockWaiters,
            Threads threads,
            TidemarkListener listener) {
        this.number = number;
        this.admission = admission;
        this.placesForTheTooFast = policy.queueCapacity() / 8;
        this.lockWait = policy.lockWait();
        this.lockWaiters = lockWaiters;
        this.scheduler = threads.scheduler();
        this.listener = listener;
        this.mailbox = new Mailbox<>(policy.queueCapacity(), threads.storeExecutor(), scheduler, this);
        RetryHint hint = new RetryHint(scheduler, governor);
        this.answers =
                new Answers(hint, mailbox::size, new Replies(threads.completeOn()), scheduler::nanoTime, listener);
        this.roster = new Roster(mailbox, batchPolicy, answers);
        Appender appender = new Appender(number, store, hint, governor, scheduler, listener);
        this.writer = new BatchWriter(admission, appender, afterStore, roster, answers, this::hold);
        this.deadlines = new DeadlineTimer(scheduler, this::expire);
        this.linger = new Linger(number, batchPolicy, mailbox::wake, scheduler, listener);
    }

    void open() {
        mailbox.open();
    }

    /** How many sends are under way. */
    int size() {
        return mailbox.size();
    }

    /** Takes a send, or refuses it at once. */
    Reply<SendResult> accept(Send send) {
        admission.charge(send);
        // One that came too fast may be a known repeat, so it is looked up, but not while others need the places.
        if (send.isTooFast() && mailbox.size() > placesForTheTooFast) {
            return refuse(send, admission.tooFast(send));
        }
        ErrorCode refusal = switch (mailbox.offer(send)) {
            case TAKEN -> null;
            case FULL -> ErrorCode.OVERLOADED;
            case CLOSED -> ErrorCode.CLOSED;
        };
        if (refusal == null) {
            deadlines.expect(send.deadline());
            listener.sendQueued(number, mailbox.size());
            return send;
        }
        admission.refund(send);
        return refuse(send, answers.refused(send.draft(), refusal));
    }

    @Override
    public @Nullable Duration take() {
        if (roster.isAbandoned()) {
            return null;
        }
        if (unresolved == null && !roster.hasReady() && linger.holds(mailbox.size())) {
            return null;
        }
        Batch batch = unresolved == null ? gather() : unresolved;
        unresolved = null;
        if (batch.isEmpty() || write(batch, Duration.ZERO)) {
            return goOn();
        }
        unresolved = batch;
        return REPLAY.after(batch.failures());
    }

    /** No thread: nothing waits for one that cannot be told so. */
    @Override
    public @Nullable Duration refused(Throwable refusal) {
        LOG.debug("send lane {} was refused a thread", number, refusal);
        List<Send> decided = new ArrayList<>();
        int dropped = roster.turnAway(decided);
        answers.tell(decided);
        roster.leave(dropped);
        return unresolved == null && !roster.hasMore() ? null : REPLAY.first();
    }

    void pinLinger(Governor.Switch value) {
        linger.pin(value);
    }

    CompletionStage<Void> close() {
        CompletionStage<Void> idle = mailbox.close();
        linger.end();
        return idle;
    }

    /** Answers everybody who is left. */
    void abandon() {
        List<Send> decided = new ArrayList<>();
        int dropped = roster.abandon(decided);
        answers.tell(decided);
        roster.leave(dropped);
    }

    private @Nullable Duration goOn() {
        if (roster.hasMore()) {
            return Duration.ZERO;
        }
        linger.drained();
        return null;
    }

    private Reply<SendResult> refuse(Send send, SendResult.Refused refused) {
        answers.count(send.conversation(), refused);
        return Reply.of(refused);
    }

    private boolean write(Batch batch, Duration wait) {
        boolean known = writer.write(batch, wait);
        if (!known) {
            batch.failed();
            listener.outcomeUnknown(number, batch.size(), batch.failures());
        }
        return known;
    }

    private Batch gather() {
        long now = scheduler.nanoTime();
        Roster.Next next = roster.gather(now);
        answers.tell(next.late());
        roster.leave(next.dropped());
        next.alone().forEach(this::waitAlone);
        Batch batch = next.batch();
        linger.took(batch.size());
        if (!batch.isEmpty()) {
            Duration waited = Duration.ofNanos(now - batch.sends().get(0).begin());
            listener.batchTaken(number, batch.size(), waited);
        }
        return batch;
    }

    private void hold(Backlog backlog) {
        listener.conversationDeferred(backlog.conversation(), backlog.deferrals());
        releaseLater(backlog);
    }

    private void releaseLater(Backlog backlog) {
        try {
            scheduler.schedule(DEFERRAL.after(backlog.deferrals()), () -> {
                roster.release(backlog);
                mailbox.wake();
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("conversation {} is held for good, since the scheduler was shut down", backlog.conversation(), e);
        }
    }

    /** Waits for a conversation's lock beside the lane, which takes no more of its sends meanwhile. */
    private void waitAlone(Batch batch) {
        Gate.Task task = new Gate.Task() {
            @Override
            public void run() {
                if (!write(batch, lockWait)) {
                    writer.defer(batch);
                }
                mailbox.wake();
            }

            @Override
            public void refused(Throwable refusal) {
                roster.putBack(batch).forEach(SendLane.this::releaseLater);
            }
        };
        if (lockWaiters.offer(task) != Mailbox.Offer.TAKEN) {
            roster.putBack(batch).forEach(this::releaseLater);
        }
    }

    private OptionalLong expire(long now) {
        List<Send> late = new ArrayList<>();
        OptionalLong next = roster.expire(now, late);
        answers.tell(late);
        return next;
    }
}
