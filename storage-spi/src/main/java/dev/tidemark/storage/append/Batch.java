package dev.tidemark.storage.append;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StoreLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The drafts of one call, by conversation and key, and what became of each. A key that occurs twice is one {@link Entry}
 * with several askers, so that no attempt ever sees it twice (H4).
 */
final class Batch {

    private final AppendResult[] results;

    /** What is not settled yet, sorted by conversation. */
    private final List<Group> open;

    /** What waits for a conversation that is locked elsewhere. */
    private final Map<String, Group> aside = new TreeMap<>();

    private int stored;
    private int known;

    Batch(List<Draft> drafts, StoreLimits limits) {
        results = new AppendResult[drafts.size()];
        Arrays.fill(results, AppendResult.Deferred.INSTANCE);
        Map<MessageKey, Entry> byKey = new HashMap<>(results.length * 2);
        Map<String, Group> groups = new HashMap<>(results.length * 2);
        for (int i = 0; i < results.length; i++) {
            Draft draft = drafts.get(i);
            AppendResult.Rejected rejected = limits.judge(draft);
            if (rejected == null) {
                add(new Entry(i, HashedDraft.of(draft)), byKey, groups);
            } else {
                results[i] = rejected;
            }
        }
        open = new ArrayList<>(groups.values());
        sort();
    }

    private static void add(Entry entry, Map<MessageKey, Entry> byKey, Map<String, Group> groups) {
        Entry first = byKey.putIfAbsent(entry.key(), entry);
        if (first == null) {
            groups.computeIfAbsent(entry.conversation(), Group::new).entries.add(entry);
        } else {
            first.addRepeat(entry);
        }
    }

    private void sort() {
        open.sort(Comparator.comparing(Group::conversation));
    }

    boolean isSettled() {
        return open.isEmpty();
    }

    /** The conversations with unsettled entries, sorted. */
    List<String> conversations() {
        return open.stream().map(Group::conversation).toList();
    }

    /** The unsettled entries by conversation, sorted. */
    List<Group> groups() {
        return Collections.unmodifiableList(open);
    }

    /** All unsettled entries, sorted by conversation. */
    List<Entry> entries() {
        List<Entry> all = new ArrayList<>(results.length);
        open.forEach(group -> all.addAll(group.entries));
        return all;
    }

    /** Settles the entries for which the function knows an outcome; the others stay open. */
    void settle(Function<Entry, @Nullable Outcome> known) {
        open.removeIf(group -> {
            group.entries.removeIf(entry -> {
                Outcome outcome = known.apply(entry);
                if (outcome != null) {
                    answer(entry, outcome);
                }
                return outcome != null;
            });
            return group.entries.isEmpty();
        });
    }

    /**
     * Settles the conversations that were locked, and those of which every message is known.
     *
     * @param before the heads of the locked conversations, as they were
     * @param known what was stored before; the rest of a locked conversation was stored now, in its order
     * @param storedAt when
     */
    void settleStored(Map<String, Head> before, Map<MessageKey, Receipt> known, Instant storedAt) {
        open.removeIf(group -> {
            Head head = before.get(group.conversation);
            if (head == null && !group.drafts(known).isEmpty()) {
                return false;
            }
            long seq = head == null ? 0 : head.seq();
            for (Entry entry : group.entries) {
                Receipt receipt = known.get(entry.key());
                if (receipt == null) {
                    seq++;
                    answer(entry, new Outcome.Stored(new Receipt(seq, storedAt, entry.draft.bodyHash())));
                } else {
                    answer(entry, new Outcome.Known(receipt));
                }
            }
            return true;
        });
    }

    /**
     * Puts the open entries of conversations aside, which are locked elsewhere. Unless they are reopened and settled, they
     * stay deferred.
     */
    void setAside(Collection<String> conversations) {
        open.removeIf(group -> {
            boolean isLocked = conversations.contains(group.conversation);
            if (isLocked) {
                aside.put(group.conversation, group);
            }
            return isLocked;
        });
    }

    /** The conversations that were put aside, sorted. */
    List<String> aside() {
        return List.copyOf(aside.keySet());
    }

    /** Opens the entries of a conversation again. */
    void reopen(String conversation) {
        Group group = aside.remove(conversation);
        if (group != null) {
            open.add(group);
            sort();
        }
    }

    /** How many entries were stored by this call. */
    int stored() {
        return stored;
    }

    /** How many entries turned out to be stored before. */
    int known() {
        return known;
    }

    private void answer(Entry entry, Outcome outcome) {
        if (outcome instanceof Outcome.Stored) {
            stored++;
        } else if (outcome instanceof Outcome.Known) {
            known++;
        }
        results[entry.index] = outcome.answerFirst(entry.draft);
        for (Entry repeat : entry.repeats) {
            results[repeat.index] = outcome.answerRepeat(entry.draft, repeat.draft);
        }
    }

    /** The results in the order of the drafts; what was not settled is deferred. */
    List<AppendResult> results() {
        return List.of(results);
    }

    /** The unsettled entries of a conversation, in the order of the drafts. */
    static final class Group {

        private final String conversation;
        private final List<Entry> entries = new ArrayList<>(4);

        private Group(String conversation) {
            this.conversation = conversation;
        }

        String conversation() {
            return conversation;
        }

        /** The drafts but for those that are known. */
        List<HashedDraft> drafts(Map<MessageKey, Receipt> known) {
            List<HashedDraft> drafts = new ArrayList<>(entries.size());
            for (Entry entry : entries) {
                if (!known.containsKey(entry.key())) {
                    drafts.add(entry.draft);
                }
            }
            return drafts;
        }
    }

    /** A key with the first draft that has it. */
    static final class Entry {

        private final int index;
        private final HashedDraft draft;
        private List<Entry> repeats = List.of();

        private Entry(int index, HashedDraft draft) {
            this.index = index;
            this.draft = draft;
        }

        private void addRepeat(Entry repeat) {
            if (repeats.isEmpty()) {
                repeats = new ArrayList<>();
            }
            repeats.add(repeat);
        }

        HashedDraft draft() {
            return draft;
        }

        MessageKey key() {
            return draft.key();
        }

        String conversation() {
            return draft.draft().conversation();
        }
    }
}
