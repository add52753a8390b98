package dev.tidemark.storage.append;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One attempt at the append under locks: lock the heads, find the keys, insert the rows, move the heads. What it found out
 * counts once its transaction has committed.
 */
final class LockedAppend<T> {

    /** How careful an attempt is; a fault of one attempt makes the next more so. */
    record Care(boolean lift, boolean isolate) {

        static final Care NONE = new Care(false, false);

        /** The next attempt first lifts the heads to the highest row there is (H15). */
        Care lifting() {
            return new Care(true, isolate);
        }

        /** The next attempt finds out which rows the database refuses and stores the others (H7). */
        Care isolating() {
            return new Care(lift, true);
        }
    }

    private final AppendPrimitives<T> primitives;
    private final Transactions<T> transactions;
    private final Transactions<T> own;
    private final T transaction;
    private final Care care;
    private final Instant now;

    /** The heads as locked, then as they grow. */
    private final Map<String, Head> heads = new HashMap<>();

    private final Map<MessageKey, Outcome> outcomes = new HashMap<>();

    LockedAppend(
            AppendPrimitives<T> primitives,
            Transactions<T> transactions,
            Transactions<T> own,
            T transaction,
            Care care,
            Instant now) {
        this.primitives = primitives;
        this.transactions = transactions;
        this.own = own;
        this.transaction = transaction;
        this.care = care;
        this.now = now;
    }

    /** Appends the entries whose conversations can be locked. An entry without an outcome is of one that could not. */
    Map<MessageKey, Outcome> run(List<String> conversations, List<Batch.Entry> entries, Duration wait) {
        lockHeads(conversations, wait);
        List<Batch.Entry> locked = entries.stream()
                .filter(entry -> heads.containsKey(entry.conversation()))
                .toList();
        List<Batch.Entry> fresh = findKeys(locked);
        if (care.isolate()) {
            insertIsolated(fresh);
        } else {
            insert(fresh);
        }
        moveHeads(fresh);
        return outcomes;
    }

    private void lockHeads(List<String> conversations, Duration wait) {
        heads.putAll(primitives.lockHeads(transaction, conversations, wait));
        if (care.lift()) {
            List<String> locked =
                    conversations.stream().filter(heads::containsKey).toList();
            lift(primitives.lastRows(transaction, locked));
            if (transactions != own) {
                lift(own.read(outside -> primitives.lastRows(outside, locked)));
            }
        }
    }

    private void lift(Map<String, Head> lastRows) {
        lastRows.forEach((conversation, last) -> heads.computeIfPresent(
                conversation, (key, head) -> last.seq() > head.seq() ? lifted(head, last) : head));
    }

    private static Head lifted(Head head, Head last) {
        return new Head(last.seq(), head.floor(), last.tag());
    }

    private List<Batch.Entry> findKeys(List<Batch.Entry> entries) {
        if (entries.isEmpty()) {
            return entries;
        }
        List<MessageKey> keys = entries.stream().map(Batch.Entry::key).toList();
        Map<MessageKey, Receipt> found = new HashMap<>(primitives.find(transaction, keys));
        if (care.lift() && transactions != own) {
            // The caller's snapshot may be older than the lock. From outside all is visible that the lock's last
            // holders
            // have committed; a locking read would see it too, and on MySQL lock the gaps around what is not there.
            found.putAll(own.read(outside -> primitives.find(outside, keys)));
        }
        found.forEach((key, receipt) -> outcomes.put(key, new Outcome.Known(receipt)));
        return entries.stream().filter(entry -> !found.containsKey(entry.key())).toList();
    }

    private void insert(List<Batch.Entry> fresh) {
        if (fresh.isEmpty()) {
            return;
        }
        Map<String, Head> grown = new HashMap<>(heads);
        List<NumberedDraft> rows = new ArrayList<>(fresh.size());
        for (Batch.Entry entry : fresh) {
            Head head = grown.merge(
                    entry.conversation(),
                    Head.EMPTY,
                    (old, unused) -> old.plus(1, entry.draft().draft().tag()));
            rows.add(new NumberedDraft(entry.draft(), head.seq(), now));
        }
        primitives.insert(transaction, rows);
        // Only now, when nothing has thrown: a number that was not used must not move a head.
        heads.putAll(grown);
        for (NumberedDraft row : rows) {
            Receipt receipt =
                    new Receipt(row.seq(), row.storedAt(), row.hashed().bodyHash());
            outcomes.put(row.hashed().key(), new Outcome.Stored(receipt));
        }
    }

    /** Halves what the database refuses until the refused rows stand alone. The others keep their order. */
    private void insertIsolated(List<Batch.Entry> fresh) {
        try {
            transactions.nested(transaction, () -> insert(fresh));
        } catch (AppendFault fault) {
            if (fault.kind() != AppendFault.Kind.UNSTORABLE) {
                throw fault;
            }
            if (fresh.size() == 1) {
                outcomes.put(
                        fresh.get(0).key(), new Outcome.Refused(new AppendResult.Rejected("draft", fault.reason())));
                return;
            }
            int half = fresh.size() / 2;
            insertIsolated(fresh.subList(0, half));
            insertIsolated(fresh.subList(half, fresh.size()));
        }
    }

    private void moveHeads(List<Batch.Entry> fresh) {
        Map<String, Head> moved = new TreeMap<>();
        for (Batch.Entry entry : fresh) {
            Head head = heads.get(entry.conversation());
            if (head != null && outcomes.get(entry.key()) instanceof Outcome.Stored) {
                moved.put(entry.conversation(), head);
            }
        }
        if (!moved.isEmpty()) {
            primitives.moveHeads(transaction, moved);
        }
    }
}
