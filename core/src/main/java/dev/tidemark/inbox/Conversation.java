package dev.tidemark.inbox;

import dev.tidemark.storage.LatestMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A conversation in a user's list.
 *
 * @param conversation its id
 * @param latest the newest message the user may see; null when there is none
 * @param readTo the user's read position, shared by all devices
 * @param unread how many countable messages of others there are after it, up to {@link InboxPolicy#cap()}
 * @param more whether there are more than that
 */
public record Conversation(String conversation, @Nullable LatestMessage latest, long readTo, int unread, boolean more) {

    /** Checks for nulls. */
    public Conversation {
        Objects.requireNonNull(conversation, "conversation");
    }
}
