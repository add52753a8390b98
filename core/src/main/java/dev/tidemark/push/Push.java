package dev.tidemark.push;

import dev.tidemark.storage.StoredMessage;
import java.util.Objects;

/**
 * A message on its live way to a device. What is delivered like this is live by its type; the messages of a page are a
 * backfill. A device drops what it has by (conversation, sequence): a push may come twice, late, or never.
 *
 * @param message the message
 */
public record Push(StoredMessage message) {

    /** Checks for nulls. */
    public Push {
        Objects.requireNonNull(message, "message");
    }
}
