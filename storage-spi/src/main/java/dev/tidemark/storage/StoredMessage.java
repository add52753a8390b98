package dev.tidemark.storage;

import java.time.Instant;
import java.util.Objects;

/**
 * A message as it is stored.
 *
 * @param conversation the conversation it belongs to
 * @param seq its place there: 1, 2, 3, … in the order of commits
 * @param sender the user it is from
 * @param messageId the client's id for it
 * @param kind what sort of message it is, in the host's words
 * @param countable whether it counts as unread for those who receive it
 * @param body its content now
 * @param revision 0 as first stored, raised by one with every change to the body
 * @param storedAt when it was stored, by the clock of the node that stored it, in whole milliseconds. For people to look
 *     at: order is {@code seq} alone, and two nodes' clocks may differ (H32)
 */
public record StoredMessage(
        String conversation,
        long seq,
        String sender,
        String messageId,
        String kind,
        boolean countable,
        Body body,
        int revision,
        Instant storedAt) {

    /** Checks for nulls and that the sequence is positive. */
    public StoredMessage {
        Objects.requireNonNull(conversation, "conversation");
        Objects.requireNonNull(sender, "sender");
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(storedAt, "storedAt");
        if (seq < 1) {
            throw new IllegalArgumentException("seq: expected 1 or more, was " + seq);
        }
    }

    /** What it is recognised by. */
    public MessageKey key() {
        return new MessageKey(conversation, sender, messageId);
    }

    /** The tag of this message. */
    public int tag() {
        return Tag.of(sender, messageId);
    }

    /** The place of a reader whose last message is this one. */
    public Position position() {
        return new Position(seq, tag());
    }
}
