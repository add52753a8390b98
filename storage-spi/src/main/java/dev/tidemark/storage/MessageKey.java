package dev.tidemark.storage;

import java.util.Objects;

/**
 * What makes a message the same message: its id is chosen by the sender's client and means something only together with
 * the sender and the conversation (H43).
 *
 * @param conversation the conversation's id
 * @param sender the sending user's id
 * @param messageId the id the client gave it
 */
public record MessageKey(String conversation, String sender, String messageId) {

    /** Checks for nulls. */
    public MessageKey {
        Objects.requireNonNull(conversation, "conversation");
        Objects.requireNonNull(sender, "sender");
        Objects.requireNonNull(messageId, "messageId");
    }
}
