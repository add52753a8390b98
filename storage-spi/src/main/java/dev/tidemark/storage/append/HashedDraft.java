package dev.tidemark.storage.append;

import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageKey;

/**
 * A draft with what is computed from it once.
 *
 * @param draft the message
 * @param key {@link Draft#key()}
 * @param bodyHash {@link Draft#bodyHash()}
 */
public record HashedDraft(Draft draft, MessageKey key, long bodyHash) {

    /** Computes the parts. */
    public static HashedDraft of(Draft draft) {
        return new HashedDraft(draft, draft.key(), draft.bodyHash());
    }
}
