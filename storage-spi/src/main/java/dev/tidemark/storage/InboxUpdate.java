package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;
import java.util.Objects;

/**
 * What a stretch of newly stored messages changes in one user's list.
 *
 * @param key whose list and which conversation
 * @param first the first sequence of the stretch, 1 or more
 * @param latest the last message of the stretch, at {@code first} or later; there is no gap between the two
 * @param countable how many messages of the stretch count as unread for this user, 0 or more: not those that are not
 *     countable, nor the user's own
 */
public record InboxUpdate(MemberKey key, long first, LatestMessage latest, int countable) {

    /** Checks for nulls and ranges. */
    public InboxUpdate {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(latest, "latest");
        if (first < 1 || first > latest.seq()) {
            throw new InvalidInputException("first", "1 to " + latest.seq() + ", was " + first);
        }
        if (countable < 0 || countable > latest.seq() - first + 1) {
            throw new InvalidInputException("countable", "0 to " + (latest.seq() - first + 1) + ", was " + countable);
        }
    }
}
