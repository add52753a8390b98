package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Conversations spread over several databases, each a message store of its own. Each call goes to the stores that it concerns,
 * one after the other; a call about one partition touches no other one. Safe for use by many threads.
 */
public final class PartitionedMessageStore implements MessageStore, Partitioned {

    private final Partitioner partitioner;
    private final List<MessageStore> stores;

    private PartitionedMessageStore(Partitioner partitioner, List<? extends MessageStore> stores) {
        this.partitioner = partitioner;
        this.stores = List.copyOf(stores);
    }

    /**
     * A store over partitions.
     *
     * @param partitioner says in which one a conversation is
     * @param stores the partitions, one or more, in the order of the partitioner's numbers
     * @throws InvalidInputException naming {@code stores} when there are none
     */
    public static PartitionedMessageStore over(Partitioner partitioner, List<? extends MessageStore> stores) {
        if (stores.isEmpty()) {
            throw new InvalidInputException("stores", "one or more, was none");
        }
        return new PartitionedMessageStore(partitioner, stores);
    }

    @Override
    public int partitions() {
        return stores.size();
    }

    @Override
    public int partitionOf(String conversation) {
        int partition = partitioner.partitionOf(conversation);
        if (partition < 0 || partition >= stores.size()) {
            throw new StorageException(
                    StorageException.Kind.UNSUPPORTED,
                    "the partitioner put conversation " + conversation + " into partition " + partition + " of "
                            + stores.size(),
                    null);
        }
        return partition;
    }

    /** The limits that hold in every partition. */
    @Override
    public StoreLimits limits() {
        StoreLimits narrowest = stores.get(0).limits();
        for (MessageStore store : stores) {
            if (store.limits().maxBodyBytes() < narrowest.maxBodyBytes()) {
                narrowest = store.limits();
            }
        }
        return narrowest;
    }

    @Override
    public List<AppendResult> append(List<Draft> drafts, Duration wait) {
        Map<Integer, List<Integer>> indexes = new TreeMap<>();
        for (int i = 0; i < drafts.size(); i++) {
            indexes.computeIfAbsent(partitionOf(drafts.get(i).conversation()), key -> new ArrayList<>())
                    .add(i);
        }
        AppendResult[] results = new AppendResult[drafts.size()];
        boolean stored = false;
        for (Map.Entry<Integer, List<Integer>> part : indexes.entrySet()) {
            List<Draft> own = part.getValue().stream().map(drafts::get).toList();
            List<AppendResult> answers = append(stores.get(part.getKey()), own, wait, stored);
            for (int i = 0; i < answers.size(); i++) {
                results[part.getValue().get(i)] = answers.get(i);
            }
            stored = true;
        }
        return Arrays.asList(results);
    }

    @Override
    public Map<MessageKey, Receipt> find(Collection<MessageKey> keys) {
        return gather(keys, MessageKey::conversation, MessageStore::find);
    }

    @Override
    public Map<String, Head> heads(Collection<String> conversations) {
        return gather(conversations, conversation -> conversation, MessageStore::heads);
    }

    @Override
    public Slice after(String conversation, long after, int limit) {
        return stores.get(partitionOf(conversation)).after(conversation, after, limit);
    }

    @Override
    public Slice before(String conversation, long before, int limit) {
        return stores.get(partitionOf(conversation)).before(conversation, before, limit);
    }

    @Override
    public void verify() {
        stores.forEach(MessageStore::verify);
    }

    private static List<AppendResult> append(MessageStore store, List<Draft> drafts, Duration wait, boolean stored) {
        try {
            return store.append(drafts, wait);
        } catch (StorageException e) {
            if (!stored) {
                throw e;
            }
            throw new StorageException(
                    StorageException.Kind.UNKNOWN_OUTCOME, "a part of the batch was stored in another partition", e);
        }
    }

    private interface Query<K, V> {
        Map<K, V> ask(MessageStore store, Collection<K> keys);
    }

    private <K, V> Map<K, V> gather(Collection<K> keys, Function<K, String> conversationOf, Query<K, V> query) {
        Map<Integer, List<K>> parts = new TreeMap<>();
        for (K key : keys) {
            parts.computeIfAbsent(partitionOf(conversationOf.apply(key)), number -> new ArrayList<>())
                    .add(key);
        }
        if (parts.size() == 1) {
            Map.Entry<Integer, List<K>> only = parts.entrySet().iterator().next();
            return query.ask(stores.get(only.getKey()), only.getValue());
        }
        Map<K, V> all = new HashMap<>();
        parts.forEach((number, own) -> all.putAll(query.ask(stores.get(number), own)));
        return all;
    }
}
