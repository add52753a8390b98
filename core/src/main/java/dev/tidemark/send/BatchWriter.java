package dev.tidemark.send;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.AppendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes batches of a lane through the steps of a send that follow its validation: authorize, number and store, index and
 * push. Never throws.
 */
final class BatchWriter {

    private final Admission admission;
    private final Appender appender;
    private final AfterStore afterStore;
    private final Roster roster;
    private final Answers answers;
    private final Consumer<Backlog> hold;

    /**
     * Creates a writer.
     *
     * @param hold sees to it that a backlog of deferred sends is released later
     */
    BatchWriter(
            Admission admission,
            Appender appender,
            AfterStore afterStore,
            Roster roster,
            Answers answers,
            Consumer<Backlog> hold) {
        this.admission = admission;
        this.appender = appender;
        this.afterStore = afterStore;
        this.roster = roster;
        this.answers = answers;
        this.hold = hold;
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
            // In the order of commits, and before any other batch can have these conversations.
            afterStore.accept(batch.sends(), known.results());
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
        answers.tell(admission.check(batch.sends(), answers));
        roster.leave(roster.handOver(batch));
    }

    private void answer(List<Send> sends, List<AppendResult> results) {
        List<Send> decided = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            Send send = sends.get(i);
            AppendResult result = results.get(i);
            if (result instanceof AppendResult.Duplicate && !send.isUnknown()) {
                admission.refund(send);
            }
            if (!(result instanceof AppendResult.Deferred) && send.decide(Answers.of(send.draft(), result))) {
                decided.add(send);
            }
        }
        answers.tell(decided);
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
