package dev.tidemark.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list that is paged by key: an entry that stays is never skipped nor shown twice, whatever is added or
 * removed between two pages.
 *
 * @param items the entries, in key order
 * @param next the key after which the next page begins, or null when this page is the last
 * @param <E> the type of the entries
 */
public record KeyPage<E>(List<E> items, @Nullable String next) {

    /** Keeps an unmodifiable copy of the items. */
    public KeyPage {
        items = List.copyOf(items);
    }
}
