package dev.tidemark.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * A message that asks to be stored: it has no sequence and no time yet.
 *
 * @param conversation where it goes
 * @param sender the user it is from
 * @param messageId the client's id for it, the same on every repeat
 * @param kind what sort of message it is, in the host's words, for instance {@code text}
 * @param countable whether it counts as unread for those who receive it
 * @param body its content
 */
public record Draft(String conversation, String sender, String messageId, String kind, boolean countable, Body body) {

    /** The kind of a message whose sender names none. */
    public static final String DEFAULT_KIND = "text";

    /** Checks for nulls; what a store can hold it judges itself (see {@link MessageStore#limits()}). */
    public Draft {
        Objects.requireNonNull(conversation, "conversation");
        Objects.requireNonNull(sender, "sender");
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(body, "body");
    }

    /** A countable draft of the {@link #DEFAULT_KIND}. */
    public static Draft of(String conversation, String sender, String messageId, Body body) {
        return new Draft(conversation, sender, messageId, DEFAULT_KIND, true, body);
    }

    /** What this draft is recognised by when it is repeated. */
    public MessageKey key() {
        return new MessageKey(conversation, sender, messageId);
    }

    /** The tag the stored message will have. */
    public int tag() {
        return Tag.of(sender, messageId);
    }

    /**
     * The hash by which a repeat is told from another message under the same id: the first eight bytes, big-endian, of
     * SHA-256 over the kind in UTF-8, a zero byte, and the body. It is stored with the row, never changes when the body is
     * edited or erased, and is part of the stored format. Computed on every call.
     */
    public long bodyHash() {
        MessageDigest sha256 = sha256();
        sha256.update(kind.getBytes(StandardCharsets.UTF_8));
        sha256.update((byte) 0);
        sha256.update(body.unsafeBytes());
        return ByteBuffer.wrap(sha256.digest()).getLong();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
