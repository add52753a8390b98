package dev.tidemark.send;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.push.Pusher;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Takes batches of a lane through the steps of a send that follow its validation: authorize, number and store, push. Never
 * throws.
 */
final class BatchWriter {

    private final Membership membership;
    private final Appender appender;
    private final Pusher pusher;
    private final Roster roster;
    private final Answers answers;
    private final Consumer<Backlog> hold;
    private final FaultLog pushFaults;

    /**
     * Creates a writer.
     *
     * @param hold sees to it that a backlog of deferred sends is released later
     * @param nanoTime the passing of time
     */
    BatchWriter(
            Membership membership,
            Appender appender,
            Pusher pusher,
            Roster roster,
            Answers answers,
            Consumer<Backlog> hold,
            LongSupplier nanoTime) {
        this.membership = membership;
        this.appender = appender;
        this.pusher = pusher;
        this.roster = roster;
        this.answers = answers;
        this.hold = hold;
        this.pushFaults = new FaultLog(
                LoggerFactory.getLogger(BatchWriter.class), "the pusher threw; the message is stored", nanoTime);
    }

    /**
     * Takes a batch through the steps.
     *
     * @param batch what to write; when some outcome stays unknown, only those sends are left in it
     * @param wait how long to wait for locked conversations
     * @return whether every outcome is known; if not, the batch is to be written again
     */
    boolean write(Batch batch, Duration wait) {
        authorize(batch);
        if (batch.isEmpty()) {
            return finish(batch, List.of());
        }
        Appender.Outcome outcome = appender.append(batch.drafts(), wait);
        if (outcome instanceof Appender.Outcome.Known known) {
            answer(batch.sends(), known.results());
            push(batch.sends(), known.results());
            return finish(batch, deferred(batch.sends(), known.results()));
        }
        if (outcome instanceof Appender.Outcome.Failed failed) {
            refuse(batch, failed.code());
            return batch.isEmpty() && finish(batch, List.of());
        }
        roster.becomeUnknown(batch);
        return false;
    }

    /** Lets a batch wait in its conversations' backlogs, whose sends stay unknown there if they are. */
    void defer(Batch batch) {
        finish(batch, batch.sends());
    }

    private void authorize(Batch batch) {
        answers.tell(membership.check(batch.sends(), answers));
        roster.leave(roster.handOver(batch));
    }

    private void answer(List<Send> sends, List<AppendResult> results) {
        List<Send> decided = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            Send send = sends.get(i);
            AppendResult result = results.get(i);
            if (!(result instanceof AppendResult.Deferred) && send.decide(Answers.of(send.draft(), result))) {
                decided.add(send);
            }
        }
        answers.tell(decided);
    }

    /** In the order of commits, and before any other batch can have these conversations. */
    private void push(List<Send> sends, List<AppendResult> results) {
        for (int i = 0; i < results.size(); i++) {
            // Repeats too, and what a replay found for a caller who is gone (H6): devices drop what they have.
            if (results.get(i) instanceof AppendResult.Appended stored) {
                push(sends.get(i), stored.seq(), stored.storedAt());
            } else if (results.get(i) instanceof AppendResult.Duplicate stored) {
                push(sends.get(i), stored.seq(), stored.storedAt());
            }
        }
    }

    private void push(Send send, long seq, Instant storedAt) {
        Draft draft = send.draft();
        StoredMessage message = new StoredMessage(
                draft.conversation(),
                seq,
                draft.sender(),
                draft.messageId(),
                draft.kind(),
                draft.countable(),
                draft.body(),
                0,
                storedAt);
        try {
            pusher.push(message, send.fromDevice());
        } catch (Throwable e) {
            pushFaults.report(() -> "conversation " + draft.conversation() + ", seq " + seq, e);
        }
    }

    private void refuse(Batch batch, ErrorCode code) {
        // That nothing happened now says nothing of the attempt before: what that one left unknown stays in the batch.
        List<Send> refused = roster.takeBack(batch, code == ErrorCode.UNAVAILABLE);
        List<Send> decided = new ArrayList<>(refused.size());
        for (Send send : refused) {
            ErrorCode itsCode = send.isUnknown() ? ErrorCode.OUTCOME_UNKNOWN : code;
            if (send.decide(answers.refused(send.draft(), itsCode))) {
                decided.add(send);
            }
        }
        answers.tell(decided);
        roster.leave(refused.size());
    }

    private static List<Send> deferred(List<Send> sends, List<AppendResult> results) {
        List<Send> deferred = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof AppendResult.Deferred) {
                deferred.add(sends.get(i));
            }
        }
        return deferred;
    }

    /** Lets go of a batch; says true, as nothing of it is left unknown. */
    private boolean finish(Batch batch, List<Send> deferred) {
        int settled = batch.size() - deferred.size();
        Roster.Held held = roster.settle(batch, deferred);
        held.backlogs().forEach(hold);
        roster.leave(settled + held.dropped());
        return true;
    }
}
