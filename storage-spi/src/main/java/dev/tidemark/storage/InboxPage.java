package dev.tidemark.storage;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One page of a user's conversation list.
 *
 * @param entries the entries, the most recent first
 * @param next where the next page begins, or null when this page is the last
 */
public record InboxPage(List<InboxEntry> entries, @Nullable Place next) {

    /** Keeps an unmodifiable copy of the entries. */
    public InboxPage {
        entries = List.copyOf(entries);
    }

    /**
     * A place in a list: that of an entry, whether it is still there or not.
     *
     * @param recency when the entry's latest message was stored
     * @param conversation the entry's conversation, which decides between equal times
     */
    public record Place(Instant recency, String conversation) {

        /** Checks for nulls. */
        public Place {
            Objects.requireNonNull(recency, "recency");
            Objects.requireNonNull(conversation, "conversation");
        }
    }
}
