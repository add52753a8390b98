package dev.tidemark.storage;

import org.jspecify.annotations.Nullable;

/**
 * What a message store can hold beyond the rules of {@link Ids}, which hold everywhere.
 *
 * @param maxBodyBytes the largest body, in bytes
 */
public record StoreLimits(int maxBodyBytes) {

    /** Checks that the limit is positive. */
    public StoreLimits {
        if (maxBodyBytes < 1) {
            throw new IllegalArgumentException("maxBodyBytes: expected 1 or more, was " + maxBodyBytes);
        }
    }

    /**
     * Judges a draft.
     *
     * @return the rejection that names the field at fault, or null when the draft can be stored
     */
    public AppendResult.@Nullable Rejected judge(Draft draft) {
        String problem = Ids.problemOf(draft.conversation());
        if (problem != null) {
            return new AppendResult.Rejected("conversation", "expected " + problem);
        }
        problem = Ids.problemOf(draft.sender());
        if (problem != null) {
            return new AppendResult.Rejected("sender", "expected " + problem);
        }
        problem = Ids.problemOf(draft.messageId());
        if (problem != null) {
            return new AppendResult.Rejected("messageId", "expected " + problem);
        }
        problem = Ids.problemOfKind(draft.kind());
        if (problem != null) {
            return new AppendResult.Rejected("kind", "expected " + problem);
        }
        int size = draft.body().size();
        if (size > maxBodyBytes) {
            return new AppendResult.Rejected("body", "expected at most " + maxBodyBytes + " bytes, was " + size);
        }
        return null;
    }
}
