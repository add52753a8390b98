package dev.tidemark.send;

import dev.tidemark.inbox.Indexer;
import dev.tidemark.listener.internal.FaultLog;
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
 * conversation in the order of its commits. Safe for use by many threads.
 */
final class AfterStore {

    private static final Logger LOG = LoggerFactory.getLogger(AfterStore.class);

    private final Indexer indexer;
    private final Pusher pusher;
    private final FaultLog indexFaults;
    private final FaultLog pushFaults;

    AfterStore(Indexer indexer, Pusher pusher, LongSupplier nanoTime) {
        this.indexer = indexer;
        this.pusher = pusher;
        this.indexFaults = new FaultLog(LOG, "the indexer threw; the messages are stored", nanoTime);
        this.pushFaults = new FaultLog(LOG, "the pusher threw; the message is stored", nanoTime);
    }

    /** Passes on what was stored. Repeats too, and what a replay found for a caller who is gone (H6). */
    void accept(List<Send> sends, List<AppendResult> results) {
        List<StoredMessage> stored = new ArrayList<>(results.size());
        List<@Nullable String> devices = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            StoredMessage message = message(sends.get(i).draft(), results.get(i));
            if (message != null) {
                stored.add(message);
                devices.add(sends.get(i).fromDevice());
            }
        }
        if (!stored.isEmpty()) {
            index(stored);
            for (int i = 0; i < stored.size(); i++) {
                push(stored.get(i), devices.get(i));
            }
        }
    }

    private static @Nullable StoredMessage message(Draft draft, AppendResult result) {
        if (result instanceof AppendResult.Appended stored) {
            return message(draft, stored.seq(), stored.storedAt());
        } else if (result instanceof AppendResult.Duplicate stored) {
            return message(draft, stored.seq(), stored.storedAt());
        }
        return null;
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

    private void push(StoredMessage message, @Nullable String fromDevice) {
        try {
            pusher.push(message, fromDevice);
        } catch (Throwable e) {
            pushFaults.report(() -> "conversation " + message.conversation() + ", seq " + message.seq(), e);
        }
    }
}
