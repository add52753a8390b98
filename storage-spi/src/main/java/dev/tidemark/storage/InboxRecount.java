package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of counting a user's unread messages of a conversation from the messages themselves.
 *
 * @param key whose list and which conversation
 * @param readTo the read position that was counted from, 0 or more
 * @param countedTo the conversation's head when it was counted, {@code readTo} or more
 * @param unread how many messages were found, 0 or more
 * @param latest the newest message the user may see, when it was read as well; null leaves the entry's as it is
 */
public record InboxRecount(
        MemberKey key,
        long readTo,
        long countedTo,
        int unread,
        @Nullable LatestMessage latest) {

    /** Checks for nulls and ranges. */
    public InboxRecount {
        Objects.requireNonNull(key, "key");
        if (readTo < 0) {
            throw new InvalidInputException("readTo", "0 or more, was " + readTo);
        }
        if (countedTo < readTo) {
            throw new InvalidInputException("countedTo", readTo + " or more, was " + countedTo);
        }
        if (unread < 0) {
            throw new InvalidInputException("unread", "0 or more, was " + unread);
        }
    }
}
