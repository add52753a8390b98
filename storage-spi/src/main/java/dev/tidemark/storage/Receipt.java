package dev.tidemark.storage;

import java.time.Instant;
import java.util.Objects;

/**
 * What is known of a stored message without its content.
 *
 * @param seq its sequence
 * @param storedAt when it was stored
 * @param bodyHash the hash of its kind and original body, see {@link Draft#bodyHash()}
 */
public record Receipt(long seq, Instant storedAt, long bodyHash) {

    /** Checks for nulls. */
    public Receipt {
        Objects.requireNonNull(storedAt, "storedAt");
    }

    /**
     * How a repeat is answered whose kind and body hash to {@code hash}: {@link AppendResult.Duplicate} for the same
     * message, {@link AppendResult.Conflict} for another one under the same id (P3).
     */
    public AppendResult answer(long hash) {
        return hash == bodyHash ? new AppendResult.Duplicate(seq, storedAt) : new AppendResult.Conflict(seq);
    }
}
