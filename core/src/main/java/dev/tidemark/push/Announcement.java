package dev.tidemark.push;

import dev.tidemark.storage.Session;
import dev.tidemark.storage.StoredMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored message that is to be pushed.
 *
 * @param message the message
 * @param fromDevice the device of the sender that sent it and needs no push; null when that is not known
 * @param delivery what sort of delivery it is; null for {@link Delivery#C2C} between two and {@link Delivery#C2G} among more
 * @param repeat whether the client has sent it before, so that it may have been pushed before as well
 * @param noticeOnly whether the devices are only told that there is something, once an interval, since there is much to do
 */
public record Announcement(
        StoredMessage message,
        @Nullable String fromDevice,
        @Nullable Delivery delivery,
        boolean repeat,
        boolean noticeOnly) {

    /** Checks for nulls. */
    public Announcement {
        Objects.requireNonNull(message, "message");
    }

    String conversation() {
        return message.conversation();
    }

    long seq() {
        return message.seq();
    }

    /** Whether it came from the device of this session. */
    boolean isFrom(Session session) {
        return session.device().device().equals(fromDevice)
                && session.device().user().equals(message.sender());
    }
}
