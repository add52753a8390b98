package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.KeyPage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The order and the checks of keys that the reference stores share. */
final class InMemoryKeys {

    /** The byte order of UTF-8, in which databases list ids; it differs from Java's own for surrogates. */
    static final Comparator<String> BYTE_ORDER =
            Comparator.comparing(id -> id.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private static final int MAX_LIMIT = 10_000;

    private InMemoryKeys() {}

    static void check(CursorKey key) {
        check("user", key.user());
        check("device", key.device());
        check("conversation", key.conversation());
    }

    static void check(String field, String id) {
        String problem = Ids.problemOf(id);
        if (problem != null) {
            throw new InvalidInputException(field, problem);
        }
    }

    /** Cuts a page out of entries that are in byte order of their keys. */
    static <E> KeyPage<E> page(List<E> entries, Function<E, String> keyOf, @Nullable String after, int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidInputException("limit", "1 to " + MAX_LIMIT + ", was " + limit);
        }
        List<E> rest = entries.stream()
                .filter(entry -> after == null || BYTE_ORDER.compare(keyOf.apply(entry), after) > 0)
                .toList();
        List<E> items = rest.subList(0, Math.min(limit, rest.size()));
        return new KeyPage<>(items, items.size() == rest.size() ? null : keyOf.apply(items.get(items.size() - 1)));
    }
}
