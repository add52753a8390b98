package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.StorageException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The step that numbers and stores: calls the store and puts into words whatever comes of it. Never throws. */
final class Appender {

    /** What came of a batch. */
    sealed interface Outcome {

        /** The store's answers, in the order of the drafts. */
        record Known(List<AppendResult> results) implements Outcome {}

        /** Each draft may have been stored or not: append the same again to learn which. */
        record Unknown() implements Outcome {}

        /** There is no answer, and asking again at once would not bring one. */
        record Failed(ErrorCode code) implements Outcome {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(Appender.class);

    private final int lane;
    private final MessageStore store;
    private final RetryHint hint;
    private final Governor governor;
    private final Scheduler scheduler;
    private final TidemarkListener listener;
    private final FaultLog faults;

    Appender(
            int lane,
            MessageStore store,
            RetryHint hint,
            Governor governor,
            Scheduler scheduler,
            TidemarkListener listener) {
        this.lane = lane;
        this.store = store;
        this.hint = hint;
        this.governor = governor;
        this.scheduler = scheduler;
        this.listener = listener;
        this.faults = new FaultLog(LOG, "send lane " + lane + " could not store a batch", scheduler::nanoTime);
    }

    Outcome append(List<Draft> drafts, Duration wait) {
        long begin = scheduler.nanoTime();
        try {
            List<AppendResult> results = store.append(drafts, wait);
            check(drafts, results);
            Duration took = Duration.ofNanos(scheduler.nanoTime() - begin);
            hint.committed(drafts.size(), took.toNanos());
            governor.committed(took.toNanos());
            listener.committed(lane, drafts.size(), took);
            return new Outcome.Known(results);
        } catch (Throwable e) {
            governor.failed();
            faults.report(
                    () -> drafts.size() + " messages, the first for conversation "
                            + drafts.get(0).conversation(),
                    e);
            return outcome(e);
        }
    }

    private static Outcome outcome(Throwable fault) {
        if (fault instanceof StorageException storage) {
            return storage.kind() == StorageException.Kind.UNKNOWN_OUTCOME
                    ? new Outcome.Unknown()
                    : new Outcome.Failed(storage.code());
        }
        // A bug of the store: anything may have happened, and would happen again.
        return new Outcome.Failed(ErrorCode.OUTCOME_UNKNOWN);
    }

    /** Throws when the store did not answer every draft. */
    static void check(List<Draft> drafts, List<AppendResult> results) {
        if (results.size() != drafts.size()) {
            throw new IllegalStateException(
                    "the store answered " + drafts.size() + " drafts with " + results.size() + " results");
        }
        for (AppendResult result : results) {
            if (result == null) {
                throw new IllegalStateException("the store answered a draft with null");
            }
        }
    }
}
