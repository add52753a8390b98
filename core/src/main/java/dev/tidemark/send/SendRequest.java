package dev.tidemark.send;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.push.Delivery;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that a client wants stored. Immutable.
 *
 * <p>A request takes whatever the client sent, nulls included, and judges nothing: a wrong one is answered by {@link
 * SendPipeline#send} with a refusal that names the field.
 */
public final class SendRequest {

    private final @Nullable String conversation;
    private final @Nullable String sender;
    private final @Nullable String messageId;
    private final @Nullable String kind;
    private final boolean countable;
    private final @Nullable Body body;
    private final @Nullable String fromDevice;
    private final @Nullable Delivery delivery;
    private final @Nullable Duration timeout;
    private final @Nullable Instant createdAt;

    private SendRequest(
            @Nullable String conversation,
            @Nullable String sender,
            @Nullable String messageId,
            @Nullable String kind,
            boolean countable,
            @Nullable Body body,
            @Nullable String fromDevice,
            @Nullable Delivery delivery,
            @Nullable Duration timeout,
            @Nullable Instant createdAt) {
        this.conversation = conversation;
        this.sender = sender;
        this.messageId = messageId;
        this.kind = kind;
        this.countable = countable;
        this.body = body;
        this.fromDevice = fromDevice;
        this.delivery = delivery;
        this.timeout = timeout;
        this.createdAt = createdAt;
    }

    /**
     * A request to send a countable message of the kind {@value Draft#DEFAULT_KIND}.
     *
     * @param conversation where to
     * @param sender the user it is from
     * @param messageId the client's id for it, the same on every repeat
     * @param body its content
     */
    public static SendRequest of(
            @Nullable String conversation, @Nullable String sender, @Nullable String messageId, @Nullable Body body) {
        return new SendRequest(conversation, sender, messageId, Draft.DEFAULT_KIND, true, body, null, null, null, null);
    }

    /**
     * A request to send a text, in UTF-8. Text that UTF-8 cannot express, which is an unpaired surrogate, counts as no body
     * at all and is refused, rather than stored as something else (H40).
     *
     * @see #of(String, String, String, Body)
     */
    public static SendRequest of(
            @Nullable String conversation, @Nullable String sender, @Nullable String messageId, @Nullable String text) {
        return of(conversation, sender, messageId, text == null ? null : encode(text));
    }

    /**
     * A request to send a copy of the bytes.
     *
     * @see #of(String, String, String, Body)
     */
    public static SendRequest of(
            @Nullable String conversation,
            @Nullable String sender,
            @Nullable String messageId,
            byte @Nullable [] bytes) {
        return of(conversation, sender, messageId, bytes == null ? null : Body.of(bytes));
    }

    /** This request with another kind of message, in the host's words. */
    public SendRequest withKind(@Nullable String value) {
        return new SendRequest(
                conversation, sender, messageId, value, countable, body, fromDevice, delivery, timeout, createdAt);
    }

    /** This request for a message that counts as unread for those who receive it, or does not. */
    public SendRequest withCountable(boolean value) {
        return new SendRequest(
                conversation, sender, messageId, kind, value, body, fromDevice, delivery, timeout, createdAt);
    }

    /** This request from a device of the sender, which does not get its own message pushed; null when not known. */
    public SendRequest fromDevice(@Nullable String value) {
        return new SendRequest(
                conversation, sender, messageId, kind, countable, body, value, delivery, timeout, createdAt);
    }

    /**
     * This request for another sort of delivery, which says how often its push is tried; null, and at first, for one from
     * person to person where there are two members, and to a group where there are more.
     */
    public SendRequest withDelivery(@Nullable Delivery value) {
        return new SendRequest(
                conversation, sender, messageId, kind, countable, body, fromDevice, value, timeout, createdAt);
    }

    /**
     * This request with a deadline: how long the send may take before its caller is told what is known by then. More than
     * zero and at most {@link SendPolicy#MAX_TIMEOUT}; null for {@link SendPolicy#timeout()}.
     */
    public SendRequest withTimeout(@Nullable Duration value) {
        return new SendRequest(
                conversation, sender, messageId, kind, countable, body, fromDevice, delivery, value, createdAt);
    }

    /**
     * This request with the time at which the client made the message. One that is older than {@link SendPolicy#horizon()} is
     * refused as expired, since it might have been stored, and forgotten, long ago; null, and at first, for a host whose
     * clients do not repeat that late.
     */
    public SendRequest createdAt(@Nullable Instant value) {
        return new SendRequest(
                conversation, sender, messageId, kind, countable, body, fromDevice, delivery, timeout, value);
    }

    /** Where the message goes. */
    public @Nullable String conversation() {
        return conversation;
    }

    /** The user it is from. */
    public @Nullable String sender() {
        return sender;
    }

    /** The client's id for it. */
    public @Nullable String messageId() {
        return messageId;
    }

    /** What sort of message it is. */
    public @Nullable String kind() {
        return kind;
    }

    /** Whether it counts as unread. */
    public boolean countable() {
        return countable;
    }

    /** Its content. */
    public @Nullable Body body() {
        return body;
    }

    /** The sender's device that it is from. */
    public @Nullable String fromDevice() {
        return fromDevice;
    }

    /** What sort of delivery it is. */
    public @Nullable Delivery delivery() {
        return delivery;
    }

    /** How long the send may take. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** When the client made it. */
    public @Nullable Instant createdAt() {
        return createdAt;
    }

    /** What is to be stored, of a request that was found right. */
    Draft draft() {
        return new Draft(
                Objects.requireNonNull(conversation),
                Objects.requireNonNull(sender),
                Objects.requireNonNull(messageId),
                Objects.requireNonNull(kind),
                countable,
                Objects.requireNonNull(body));
    }

    /** Ids and the size of the body; never its content. */
    @Override
    public String toString() {
        return "SendRequest[" + conversation + ", " + sender + ", " + messageId + ", " + body + "]";
    }

    private static @Nullable Body encode(String text) {
        try {
            return Body.of(text);
        } catch (InvalidInputException e) {
            return null;
        }
    }
}
