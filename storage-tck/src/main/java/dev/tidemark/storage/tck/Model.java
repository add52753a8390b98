package dev.tidemark.storage.tck;

import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.StoreLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a store that one caller at a time talks to has to answer, in the simplest words. */
final class Model {

    private final StoreLimits limits;
    private final Map<String, List<Draft>> conversations = new HashMap<>();
    private final Map<MessageKey, Long> numbers = new HashMap<>();

    Model(StoreLimits limits) {
        this.limits = limits;
    }

    /** The outcomes an append has to have. */
    List<String> append(List<Draft> drafts) {
        return drafts.stream().map(this::append).toList();
    }

    private String append(Draft draft) {
        var rejected = limits.judge(draft);
        if (rejected != null) {
            return Outcomes.rejected(rejected.field());
        }
        List<Draft> rows = rows(draft.conversation());
        Long known = numbers.get(draft.key());
        if (known != null) {
            boolean same = rows.get((int) (known - 1)).bodyHash() == draft.bodyHash();
            return same ? Outcomes.duplicate(known) : Outcomes.conflict(known);
        }
        rows.add(draft);
        long seq = rows.size();
        numbers.put(draft.key(), seq);
        return Outcomes.appended(seq);
    }

    /** The messages of a conversation; the one at index i has the sequence i + 1. */
    List<Draft> rows(String conversation) {
        return conversations.computeIfAbsent(conversation, id -> new ArrayList<>());
    }

    Head head(String conversation) {
        List<Draft> rows = rows(conversation);
        return rows.isEmpty()
                ? Head.EMPTY
                : new Head(rows.size(), 0, rows.get(rows.size() - 1).tag());
    }

    /** The tag of a row, or null where there is none. */
    @Nullable Integer tag(String conversation, long seq) {
        List<Draft> rows = rows(conversation);
        return 1 <= seq && seq <= rows.size() ? rows.get((int) (seq - 1)).tag() : null;
    }

    /** The rows between two sequences, both included, as far as there are any. */
    List<Draft> rows(String conversation, long first, long last) {
        List<Draft> rows = rows(conversation);
        long from = Math.max(1, first);
        long to = Math.min(rows.size(), last);
        return from > to ? List.of() : List.copyOf(rows.subList((int) (from - 1), (int) to));
    }
}
