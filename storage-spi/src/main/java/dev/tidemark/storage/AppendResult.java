package dev.tidemark.storage;

import java.time.Instant;

/** What became of one draft of an append. */
public sealed interface AppendResult {

    /** Whether the message is stored, by this call or by an earlier one: {@link Appended} or {@link Duplicate}. */
    default boolean isStored() {
        return this instanceof Appended || this instanceof Duplicate;
    }

    /**
     * Stored by this call, durably.
     *
     * @param seq the sequence it got
     * @param storedAt when, in whole milliseconds
     */
    record Appended(long seq, Instant storedAt) implements AppendResult {}

    /**
     * It was stored before, by whichever call on whichever node; nothing was written now.
     *
     * @param seq the sequence it got then
     * @param storedAt when it was stored
     */
    record Duplicate(long seq, Instant storedAt) implements AppendResult {}

    /**
     * The id belongs to a message with another kind or body; that one is untouched.
     *
     * @param seq the sequence of the message that has the id
     */
    record Conflict(long seq) implements AppendResult {}

    /**
     * The store cannot hold this draft, whatever is tried; its neighbours are not affected (H7).
     *
     * @param field the part of the draft at fault: {@code conversation}, {@code sender}, {@code messageId}, {@code kind},
     *     {@code body}, or {@code draft} when the store did not say
     * @param reason what the store said, or what was expected
     */
    record Rejected(String field, String reason) implements AppendResult {}

    /** The conversation is locked elsewhere; nothing happened to this draft. Append it again. */
    record Deferred() implements AppendResult {

        /** The one instance anybody needs. */
        public static final Deferred INSTANCE = new Deferred();
    }
}
