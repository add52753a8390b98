package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.KeyPage;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists that are paged by an id: what a page is asked for with, and how it is cut. */
final class KeyPages {

    private KeyPages() {}

    static void checkLimit(int limit, int max) {
        if (limit < 1 || limit > max) {
            throw new InvalidInputException("limit", "1 to " + max + ", was " + limit);
        }
    }

    /** What the ids of a page are greater than: for the first page the empty text, which is no id and before them all. */
    static String start(@Nullable String after) {
        if (after == null) {
            return "";
        }
        StoredIds.check("after", after);
        return after;
    }

    /** Cuts a page out of rows of which one more was selected than it has: that one tells that there is a next page. */
    static <E> KeyPage<E> cut(List<E> rows, int limit, Function<E, String> keyOf) {
        if (rows.size() <= limit) {
            return new KeyPage<>(rows, null);
        }
        return new KeyPage<>(rows.subList(0, limit), keyOf.apply(rows.get(limit - 1)));
    }
}
