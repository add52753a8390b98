package dev.tidemark.storage;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one conversation together with its head.
 *
 * @param head the head, read in the same snapshot as the rows or, on the same server, before them: a reader that has seen
 *     {@code head} and finds no row up to it knows that there is none
 * @param anchor the tag of the row at the position the read started from, or null when this store has no row there
 * @param messages the rows, ascending by sequence
 */
public record Slice(Head head, @Nullable Integer anchor, List<StoredMessage> messages) {

    /** Checks for nulls; keeps an unmodifiable copy of the messages. */
    public Slice {
        Objects.requireNonNull(head, "head");
        messages = List.copyOf(messages);
    }
}
