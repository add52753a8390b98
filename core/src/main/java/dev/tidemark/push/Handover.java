package dev.tidemark.push;

import dev.tidemark.storage.StoredMessage;
import java.util.Objects;

/**
 * A message for a user none of whose devices is connected.
 *
 * @param user the recipient
 * @param message the message
 * @param repeat whether the client has sent it before, so that it may have been handed over before as well
 */
public record Handover(String user, StoredMessage message, boolean repeat) {

    /** Checks for nulls. */
    public Handover {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(message, "message");
    }
}
