package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.TransactionalMessageStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reference of {@link TransactionalMessageStore}. Several instances made with {@link #another(Clock)} share one set of
 * messages, as several nodes share a database. It shares no code with the append algorithm, so that the contract tests hold
 * the two against each other.
 */
public final class InMemoryMessageStore implements TransactionalMessageStore<InMemoryTransaction> {

    private static final StoreLimits LIMITS = new StoreLimits(8 * 1024 * 1024);

    private final Map<String, InMemoryConversation> conversations;
    private final Clock clock;

    /** An empty store on the system's clock. */
    public InMemoryMessageStore() {
        this(Clock.systemUTC());
    }

    /** An empty store on the given clock. */
    public InMemoryMessageStore(Clock clock) {
        this(new ConcurrentHashMap<>(), clock);
    }

    private InMemoryMessageStore(Map<String, InMemoryConversation> conversations, Clock clock) {
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
        AppendResult[] results = deferred(drafts);
        byConversation(drafts, results).forEach((id, indexes) -> {
            InMemoryConversation conversation = conversation(id);
            if (conversation.lock(wait)) {
                try {
                    append(conversation, drafts, indexes, results);
                } finally {
                    conversation.commit();
                    conversation.unlock();
                }
            }
        });
        return List.of(results);
    }

    /** Begins a transaction of a host whose own rows would be somewhere in memory, too. */
    public InMemoryTransaction begin() {
        return new InMemoryTransaction(conversations);
    }

    @Override
    public List<AppendResult> appendWithin(InMemoryTransaction transaction, List<Draft> drafts) {
        if (!transaction.isOpenOver(conversations)) {
            throw new InvalidInputException("transaction", "an open transaction of this store");
        }
        AppendResult[] results = deferred(drafts);
        byConversation(drafts, results).forEach((id, indexes) -> {
            InMemoryConversation conversation = conversation(id);
            if (transaction.lock(conversation)) {
                append(conversation, drafts, indexes, results);
            }
        });
        return List.of(results);
    }

    @Override
    public List<AppendResult> appendAllWithin(InMemoryTransaction transaction, List<Draft> drafts) {
        Runnable undo = transaction.savepoint();
        List<AppendResult> results = appendWithin(transaction, drafts);
        if (!results.stream().allMatch(AppendResult::isStored)) {
            undo.run();
        }
        return results;
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
        InMemoryConversation.Rows rows = rows(conversation);
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
        InMemoryConversation.Rows rows = rows(conversation);
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
        return conversation(conversation).hold();
    }

    /** Loses the conversation's row, as a script by mistake might (H15). Its messages stay. */
    public void deleteHead(String conversation) {
        conversation(conversation).rows().head = Head.EMPTY;
    }

    /** Overwrites the head's sequence, as a script by mistake might (H15). Its messages stay. */
    public void setHead(String conversation, long seq) {
        InMemoryConversation.Rows rows = conversation(conversation).rows();
        rows.head = new Head(seq, Math.min(rows.head.floor(), seq), rows.head.tag());
    }

    /**
     * Takes a backup.
     *
     * @return restores it when run, for every instance over these messages (H16)
     */
    public Runnable backup() {
        Map<String, InMemoryConversation.Rows> copies = new HashMap<>();
        conversations.forEach(
                (id, conversation) -> copies.put(id, conversation.rows().copy()));
        return () -> {
            conversations.forEach((id, conversation) -> conversation.restore(new InMemoryConversation.Rows()));
            copies.forEach((id, rows) -> conversation(id).restore(rows.copy()));
        };
    }

    private static AppendResult[] deferred(List<Draft> drafts) {
        AppendResult[] results = new AppendResult[drafts.size()];
        Arrays.fill(results, AppendResult.Deferred.INSTANCE);
        return results;
    }

    /** The indexes of the drafts by conversation; those that break a rule are rejected and left out. */
    private static Map<String, List<Integer>> byConversation(List<Draft> drafts, AppendResult[] results) {
        Map<String, List<Integer>> byConversation = new TreeMap<>();
        for (int i = 0; i < results.length; i++) {
            AppendResult.Rejected rejected = LIMITS.judge(drafts.get(i));
            if (rejected == null) {
                byConversation
                        .computeIfAbsent(drafts.get(i).conversation(), key -> new ArrayList<>())
                        .add(i);
            } else {
                results[i] = rejected;
            }
        }
        return byConversation;
    }

    private void append(
            InMemoryConversation conversation, List<Draft> drafts, List<Integer> indexes, AppendResult[] results) {
        for (int i : indexes) {
            results[i] = conversation.append(drafts.get(i), now());
        }
    }

    private InMemoryConversation conversation(String id) {
        return conversations.computeIfAbsent(id, key -> new InMemoryConversation());
    }

    private InMemoryConversation.Rows rows(String id) {
        InMemoryConversation conversation = conversations.get(id);
        return conversation == null ? new InMemoryConversation.Rows() : conversation.rows();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static void checkLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidInputException("limit", "1 to " + MAX_LIMIT + ", was " + limit);
        }
    }
}
