package dev.tidemark.send;

import dev.tidemark.storage.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The host's say in who may send what: a muted member, a frozen conversation, a kind of message that only some may send. It is
 * asked after membership, right before the append, and about a whole batch at once. A known repeat is not held up by it, since
 * its message is stored (P3). Safe for use by many threads.
 */
@FunctionalInterface
public interface SendAuthorizer {

    /**
     * Judges drafts whose senders are members. Called on a thread of the store executor, whose lane waits for it: whoever
     * has to ask elsewhere asks once for the whole batch. When it throws, the drafts are refused as unavailable.
     *
     * @param drafts one or more
     * @return one answer per draft, in the order of the drafts: null where it may be sent, otherwise why not, as a sentence
     *     for the log and the sender
     */
    List<@Nullable String> refusals(List<Draft> drafts);

    /** Lets every member send everything. */
    static SendAuthorizer all() {
        return drafts -> List.of();
    }

    /**
     * Judges each draft by itself.
     *
     * @param rule null for a draft that may be sent, otherwise why not
     */
    static SendAuthorizer each(Function<Draft, @Nullable String> rule) {
        return drafts -> {
            List<@Nullable String> refusals = new ArrayList<>(drafts.size());
            drafts.forEach(draft -> refusals.add(rule.apply(draft)));
            return refusals;
        };
    }
}
