package dev.tidemark.send;

import dev.tidemark.inbox.Indexer;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.push.Announcement;
import dev.tidemark.push.Pusher;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps that follow once messages are stored, neither of which can fail a send: index, then push. Called for a
 * conversation in the order of its commits, as far as lanes write to it. Safe for use by many threads.
 */
final class AfterStore {

    private static final Logger LOG = LoggerFactory.getLogger(AfterStore.class);

    private final Indexer indexer;
    private final Pusher pusher;
    private final Governor governor;
    private final FaultLog indexFaults;
    private final FaultLog pushFaults;

    AfterStore(Indexer indexer, Pusher pusher, Governor governor, LongSupplier nanoTime) {
        this.indexer = indexer;
        this.pusher = pusher;
        this.governor = governor;
        this.indexFaults = new FaultLog(LOG, "the indexer threw; the messages are stored", nanoTime);
        this.pushFaults = new FaultLog(LOG, "the pusher threw; the message is stored", nanoTime);
    }

    /** Passes on what was stored. Repeats too, and what a replay found for a caller who is gone (H6). */
    void accept(List<Send> sends, List<AppendResult> results) {
        List<StoredMessage> stored = new ArrayList<>(results.size());
        List<Announcement> announcements = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            Announcement announcement = announcement(sends.get(i), results.get(i));
            if (announcement != null) {
                stored.add(announcement.message());
                announcements.add(announcement);
            }
        }
        if (!stored.isEmpty()) {
            // A message that is not indexed makes its counters misses by itself: the next one does not follow on them.
            if (!governor.leavesOut(OptionalWork.INDEX)) {
                index(stored);
            }
            announcements.forEach(this::push);
        }
    }

    private @Nullable Announcement announcement(Send send, AppendResult result) {
        if (result instanceof AppendResult.Appended stored) {
            return announcement(send, stored.seq(), stored.storedAt(), false);
        } else if (result instanceof AppendResult.Duplicate stored) {
            // What the pipeline itself has replayed is stored now (H6); anything else is the client's repeat.
            return announcement(send, stored.seq(), stored.storedAt(), !send.isUnknown());
        }
        return null;
    }

    private Announcement announcement(Send send, long seq, Instant storedAt, boolean repeat) {
        return new Announcement(
                message(send.draft(), seq, storedAt),
                send.fromDevice(),
                send.delivery(),
                repeat,
                governor.leavesOut(OptionalWork.PUSH_BODIES));
    }

    private static StoredMessage message(Draft draft, long seq, Instant storedAt) {
        return new StoredMessage(
                draft.conversation(),
                seq,
                draft.sender(),
                draft.messageId(),
                draft.kind(),
                draft.countable(),
                draft.body(),
                0,
                storedAt);
    }

    private void index(List<StoredMessage> stored) {
        try {
            indexer.index(stored);
        } catch (Throwable e) {
            indexFaults.report(
                    () -> stored.size() + " messages, the first "
                            + stored.get(0).key(),
                    e);
        }
    }

    private void push(Announcement announcement) {
        StoredMessage message = announcement.message();
        try {
            pusher.push(announcement);
        } catch (Throwable e) {
            pushFaults.report(() -> "conversation " + message.conversation() + ", seq " + message.seq(), e);
        }
    }
}
