package dev.tidemark.storage.append;

import java.time.Instant;
import java.util.List;

/**
 * The drafts of one conversation that are believed to be fresh, in their order.
 *
 * @param conversation the conversation
 * @param drafts at least one
 * @param storedAt the time all of them get
 */
public record FreshDrafts(String conversation, List<HashedDraft> drafts, Instant storedAt) {

    /** The tag the head will have. */
    public int lastTag() {
        return drafts.get(drafts.size() - 1).draft().tag();
    }
}
