package dev.tidemark.storage.append;

import java.time.Instant;
import java.util.Objects;

/**
 * A draft on its way to becoming a row.
 *
 * @param hashed the message
 * @param seq the sequence it gets
 * @param storedAt the time it gets, in whole milliseconds
 */
public record NumberedDraft(HashedDraft hashed, long seq, Instant storedAt) {

    /** Checks for nulls. */
    public NumberedDraft {
        Objects.requireNonNull(hashed, "hashed");
        Objects.requireNonNull(storedAt, "storedAt");
    }
}
