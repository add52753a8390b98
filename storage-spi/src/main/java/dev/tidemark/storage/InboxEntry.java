package dev.tidemark.storage;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One conversation in a user's list.
 *
 * <p>The counter of unread messages is a cache that knows how far it can be trusted: it counts what lies after {@code readTo}
 * and up to {@code countedTo}, and whoever knows of a message after {@code countedTo} counts anew.
 *
 * @param key whose list and which conversation
 * @param latest the newest message that was indexed; null when none was
 * @param readTo the read position that the counter starts after, 0 or more
 * @param countedTo the sequence up to which the counter counts, 0 or more; while it is a {@link #MISS}, the highest one known
 *     of
 * @param unread how many messages there are to read, or {@link #MISS}
 */
public record InboxEntry(MemberKey key, @Nullable LatestMessage latest, long readTo, long countedTo, int unread) {

    /** The {@link #unread()} of a counter that has to be counted anew before it is shown. */
    public static final int MISS = -1;

    /** Checks for nulls. */
    public InboxEntry {
        Objects.requireNonNull(key, "key");
    }

    /** Whether the counter has to be counted anew. */
    public boolean isMiss() {
        return unread == MISS;
    }
}
