package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.StoredMessage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The reference of {@link MessageStore}. Several instances made with {@link #another(Clock)} share one set of messages, as
 * several nodes share a database. It shares no code with the append algorithm, so that the contract tests hold the two
 * against each other.
 */
public final class InMemoryMessageStore implements MessageStore {

    private static final StoreLimits LIMITS = new StoreLimits(8 * 1024 * 1024);

    private final Map<String, Conversation> conversations;
    private final Clock clock;

    /** An empty store on the system's clock. */
    public InMemoryMessageStore() {
        this(Clock.systemUTC());
    }

    /** An empty store on the given clock. */
    public InMemoryMessageStore(Clock clock) {
        this(new ConcurrentHashMap<>(), clock);
    }

    private InMemoryMessageStore(Map<String, Conversation> conversations, Clock clock) {
        this.conversations = conversations;
        this.clock = clock;
    }

    /** Another node's store over the same messages, with that node's clock. */
    public InMemoryMessageStore another(Clock itsClock) {
        return new InMemoryMessageStore(conversations, itsClock);
    }

    @Override
    public StoreLimits limits() {
        return LIMITS;
    }

    @Override
    public List<AppendResult> append(List<Draft> drafts, Duration wait) {
        if (wait.isNegative()) {
            throw new InvalidInputException("wait", "0 or more, was " + wait);
        }
        AppendResult[] results = new AppendResult[drafts.size()];
        Map<String, List<Integer>> byConversation = new TreeMap<>();
        for (int i = 0; i < results.length; i++) {
            results[i] = LIMITS.judge(drafts.get(i));
            if (results[i] == null) {
                byConversation
                        .computeIfAbsent(drafts.get(i).conversation(), key -> new ArrayList<>())
                        .add(i);
            }
        }
        byConversation.forEach((id, indexes) -> {
            Conversation conversation = conversation(id);
            boolean locked = conversation.lock(wait);
            try {
                for (int i : indexes) {
                    results[i] = locked ? conversation.append(drafts.get(i), now()) : AppendResult.Deferred.INSTANCE;
                }
            } finally {
                if (locked) {
                    conversation.commitAndUnlock();
                }
            }
        });
        return List.of(results);
    }

    @Override
    public Map<MessageKey, Receipt> find(Collection<MessageKey> keys) {
        Map<MessageKey, Receipt> found = new HashMap<>();
        for (MessageKey key : keys) {
            Receipt receipt = rows(key.conversation()).committedReceipt(key);
            if (receipt != null) {
                found.put(key, receipt);
            }
        }
        return Map.copyOf(found);
    }

    @Override
    public Slice after(String conversation, long after, int limit) {
        if (after < 0) {
            throw new InvalidInputException("after", "0 or more, was " + after);
        }
        checkLimit(limit);
        Rows rows = rows(conversation);
        Head head = rows.head;
        NavigableMap<Long, StoredMessage> committed = rows.committed(after, Long.MAX_VALUE);
        StoredMessage anchor = committed.get(after);
        List<StoredMessage> messages =
                committed.tailMap(after, false).values().stream().limit(limit).toList();
        return new Slice(head, anchor == null ? null : anchor.tag(), messages);
    }

    @Override
    public Slice before(String conversation, long before, int limit) {
        if (before < 1) {
            throw new InvalidInputException("before", "1 or more, was " + before);
        }
        checkLimit(limit);
        Rows rows = rows(conversation);
        Head head = rows.head;
        List<StoredMessage> messages = new ArrayList<>(rows.committed(0, before - 1).descendingMap().values().stream()
                .limit(limit)
                .toList());
        Collections.reverse(messages);
        return new Slice(head, null, messages);
    }

    @Override
    public Map<String, Head> heads(Collection<String> asked) {
        Map<String, Head> heads = new HashMap<>();
        for (String conversation : asked) {
            heads.put(conversation, rows(conversation).head);
        }
        return Map.copyOf(heads);
    }

    /**
     * Holds a conversation's lock as a node does that is paused inside an append (H41).
     *
     * @return releases the lock when run
     */
    public Runnable hold(String conversation) {
        Conversation held = conversation(conversation);
        held.lock.acquireUninterruptibly();
        return held.lock::release;
    }

    /** Loses the conversation's row, as a script by mistake might (H15). Its messages stay. */
    public void deleteHead(String conversation) {
        conversation(conversation).rows.head = Head.EMPTY;
    }

    /** Overwrites the head's sequence, as a script by mistake might (H15). Its messages stay. */
    public void setHead(String conversation, long seq) {
        Rows rows = conversation(conversation).rows;
        rows.head = new Head(seq, Math.min(rows.head.floor(), seq), rows.head.tag());
    }

    /**
     * Takes a backup.
     *
     * @return restores it when run, for every instance over these messages (H16)
     */
    public Runnable backup() {
        Map<String, Rows> copies = new HashMap<>();
        conversations.forEach((id, conversation) -> copies.put(id, conversation.rows.copy()));
        return () -> {
            conversations.forEach((id, conversation) -> conversation.rows = new Rows());
            copies.forEach((id, rows) -> conversation(id).rows = rows.copy());
        };
    }

    private Conversation conversation(String id) {
        return conversations.computeIfAbsent(id, key -> new Conversation());
    }

    private Rows rows(String id) {
        Conversation conversation = conversations.get(id);
        return conversation == null ? new Rows() : conversation.rows;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static void checkLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidInputException("limit", "1 to " + MAX_LIMIT + ", was " + limit);
        }
    }

    /** One conversation: its rows, and the lock of those who write them. */
    private static final class Conversation {

        /** A semaphore, since a lock that is held for a test may be released by another thread. */
        private final Semaphore lock = new Semaphore(1);

        private volatile Rows rows = new Rows();

        boolean lock(Duration wait) {
            try {
                return lock.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StorageException(
                        StorageException.Kind.UNAVAILABLE, "interrupted while waiting for a lock", e);
            }
        }

        AppendResult append(Draft draft, Instant now) {
            Receipt known = rows.receipts.get(draft.key());
            return known == null ? rows.append(draft, now) : known.answer(draft.bodyHash());
        }

        void commitAndUnlock() {
            rows.commit();
            lock.release();
        }
    }

    /** The rows of a conversation. Those above {@code last} are not committed yet and hidden from readers. */
    private static final class Rows {

        private final ConcurrentSkipListMap<Long, StoredMessage> bySeq = new ConcurrentSkipListMap<>();
        private final Map<MessageKey, Receipt> receipts = new ConcurrentHashMap<>();
        private volatile long last;
        private volatile Head head = Head.EMPTY;

        AppendResult append(Draft draft, Instant now) {
            long highest = bySeq.isEmpty() ? 0 : bySeq.lastKey();
            // A head that was lost or set back is lifted by the rows: a number is never given twice (H15).
            long seq = Math.max(highest, head.seq()) + 1;
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

        /** Makes the rows visible together: the rows first, then the head, so that the head is never ahead of them. */
        void commit() {
            if (!bySeq.isEmpty() && bySeq.lastKey() > last) {
                StoredMessage newest = bySeq.lastEntry().getValue();
                last = newest.seq();
                head = new Head(newest.seq(), head.floor(), newest.tag());
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
            copy.last = copy.bySeq.isEmpty() ? 0 : copy.bySeq.lastKey();
            return copy;
        }
    }
}
