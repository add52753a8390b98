package dev.tidemark.storage.append;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StoreLimits;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** What is not settled yet, sorted by conversation, in the order of the drafts within one. */
    private final Map<String, List<Entry>> open = new TreeMap<>();

    /** What waits for a conversation that is locked elsewhere. */
    private final Map<String, List<Entry>> aside = new TreeMap<>();

    private int stored;
    private int known;

    Batch(List<Draft> drafts, StoreLimits limits) {
        results = new AppendResult[drafts.size()];
        Arrays.fill(results, AppendResult.Deferred.INSTANCE);
        Map<MessageKey, Entry> byKey = new HashMap<>(results.length * 2);
        for (int i = 0; i < results.length; i++) {
            Draft draft = drafts.get(i);
            AppendResult.Rejected rejected = limits.judge(draft);
            if (rejected == null) {
                add(i, HashedDraft.of(draft), byKey);
            } else {
                results[i] = rejected;
            }
        }
    }

    private void add(int index, HashedDraft draft, Map<MessageKey, Entry> byKey) {
        Entry known = byKey.get(draft.key());
        if (known != null) {
            known.repeats.add(new Repeat(index, draft));
            return;
        }
        Entry entry = new Entry(index, draft);
        byKey.put(draft.key(), entry);
        open.computeIfAbsent(draft.draft().conversation(), key -> new ArrayList<>())
                .add(entry);
    }

    boolean isSettled() {
        return open.isEmpty();
    }

    /** The conversations with unsettled entries, sorted. */
    List<String> conversations() {
        return List.copyOf(open.keySet());
    }

    /** The unsettled entries of a conversation, in the order of the drafts. */
    List<Entry> entries(String conversation) {
        return open.getOrDefault(conversation, List.of());
    }

    /** All unsettled entries, sorted by conversation. */
    List<Entry> entries() {
        List<Entry> all = new ArrayList<>();
        open.values().forEach(all::addAll);
        return all;
    }

    /** Settles the entries for which the function knows an outcome; the others stay open. */
    void settle(Function<Entry, @Nullable Outcome> known) {
        open.values().removeIf(entries -> {
            entries.removeIf(entry -> {
                Outcome outcome = known.apply(entry);
                if (outcome != null) {
                    answer(entry, outcome);
                }
                return outcome != null;
            });
            return entries.isEmpty();
        });
    }

    /** Settles what was found to be stored already. */
    void settleKnown(Map<MessageKey, Receipt> found) {
        settle(entry -> {
            Receipt receipt = found.get(entry.draft.key());
            return receipt == null ? null : new Outcome.Known(receipt);
        });
    }

    /**
     * Puts the open entries of a conversation aside, if it has any: it is locked elsewhere. Unless they are reopened and
     * settled, they stay deferred.
     */
    void setAside(String conversation) {
        List<Entry> entries = open.remove(conversation);
        if (entries != null) {
            aside.put(conversation, entries);
        }
    }

    /** The conversations that were put aside, sorted. */
    List<String> aside() {
        return List.copyOf(aside.keySet());
    }

    /** Opens the entries of a conversation again. */
    void reopen(String conversation) {
        List<Entry> entries = aside.remove(conversation);
        if (entries != null) {
            open.put(conversation, entries);
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
        for (Repeat repeat : entry.repeats) {
            results[repeat.index] = outcome.answerRepeat(entry.draft, repeat.draft);
        }
    }

    /** The results in the order of the drafts; what was not settled is deferred. */
    List<AppendResult> results() {
        return List.of(results);
    }

    /** A key with the first draft that has it. */
    static final class Entry {

        private final int index;
        private final HashedDraft draft;
        private final List<Repeat> repeats = new ArrayList<>(0);

        Entry(int index, HashedDraft draft) {
            this.index = index;
            this.draft = draft;
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

    private record Repeat(int index, HashedDraft draft) {}
}
