package dev.tidemark.storage.memory;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One conversation of {@link InMemoryMessageStore}: its rows, and the lock of those who write them. */
final class InMemoryConversation {

    /** A semaphore, since a lock that is held for a test may be released by another thread. */
    private final Semaphore lock = new Semaphore(1);

    private volatile Rows rows = new Rows();

    Rows rows() {
        return rows;
    }

    /** Puts other rows in place of these, as a restored backup does. */
    void restore(Rows others) {
        rows = others;
    }

    boolean lock(Duration wait) {
        try {
            return lock.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "interrupted while waiting for a lock", e);
        }
    }

    void unlock() {
        lock.release();
    }

    /** Locks it however long that takes; the result unlocks it. */
    Runnable hold() {
        lock.acquireUninterruptibly();
        return lock::release;
    }

    AppendResult append(Draft draft, Instant now) {
        Receipt known = rows.receipts.get(draft.key());
        return known == null ? rows.append(draft, now) : known.answer(draft.bodyHash());
    }

    /** Makes visible what was appended under the lock. */
    void commit() {
        rows.commit();
    }

    /** Forgets what was appended under the lock above a sequence. */
    void undo(long above) {
        rows.undo(above);
    }

    /** The rows of a conversation. Those above {@code last} are not committed yet and hidden from readers. */
    static final class Rows {

        volatile Head head = Head.EMPTY;

        private final ConcurrentSkipListMap<Long, StoredMessage> bySeq = new ConcurrentSkipListMap<>();
        private final Map<MessageKey, Receipt> receipts = new ConcurrentHashMap<>();
        private volatile long last;

        AppendResult append(Draft draft, Instant now) {
            // A head that was lost or set back is lifted by the rows: a number is never given twice (H15).
            long seq = Math.max(highest(), head.seq()) + 1;
            bySeq.put(
                    seq,
                    new StoredMessage(
                            draft.conversation(),
                            seq,
                            draft.sender(),
                            draft.messageId(),
                            draft.kind(),
                            draft.countable(),
                            draft.body(),
                            0,
                            now));
            receipts.put(draft.key(), new Receipt(seq, now, draft.bodyHash()));
            return new AppendResult.Appended(seq, now);
        }

        /** The highest sequence there is, committed or not; 0 when there is none. */
        long highest() {
            return bySeq.isEmpty() ? 0 : bySeq.lastKey();
        }

        /** The highest committed sequence; 0 when there is none. */
        long last() {
            return last;
        }

        /** Makes the rows visible together: the rows first, then the head, so that the head is never ahead of them. */
        private void commit() {
            if (highest() > last) {
                StoredMessage newest = bySeq.lastEntry().getValue();
                last = newest.seq();
                head = new Head(newest.seq(), head.floor(), newest.tag());
            }
        }

        private void undo(long above) {
            for (StoredMessage message : bySeq.tailMap(above, false).values()) {
                receipts.remove(message.key());
                bySeq.remove(message.seq());
            }
        }

        /** The committed rows from one sequence to another, both included. */
        NavigableMap<Long, StoredMessage> committed(long from, long to) {
            long end = Math.min(to, last);
            return from > end ? Collections.emptyNavigableMap() : bySeq.subMap(from, true, end, true);
        }

        @Nullable Receipt committedReceipt(MessageKey key) {
            Receipt receipt = receipts.get(key);
            return receipt != null && receipt.seq() <= last ? receipt : null;
        }

        Rows copy() {
            Rows copy = new Rows();
            copy.head = head;
            copy.bySeq.putAll(committed(0, Long.MAX_VALUE));
            receipts.forEach((key, receipt) -> {
                if (copy.bySeq.containsKey(receipt.seq())) {
                    copy.receipts.put(key, receipt);
                }
            });
            copy.last = copy.highest();
            return copy;
        }
    }
}
