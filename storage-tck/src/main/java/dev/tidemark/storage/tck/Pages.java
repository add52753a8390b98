package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.KeyPage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Walks through a list that is paged by key. */
final class Pages {

    private Pages() {}

    /** Gives one page. */
    @FunctionalInterface
    interface Source<E> {
        KeyPage<E> page(@Nullable String after);
    }

    /** The keys of all entries; every page but the last is full, and only the last has no next. */
    static <E> List<String> walk(int limit, Source<E> source, Function<E, String> keyOf) {
        List<String> keys = new ArrayList<>();
        String after = null;
        do {
            KeyPage<E> page = source.page(after);
            for (E item : page.items()) {
                String key = keyOf.apply(item);
                assertThat(after == null || TrickyIds.BYTE_ORDER.compare(after, key) < 0)
                        .as("%s is after %s", key, after)
                        .isTrue();
                keys.add(key);
            }
            if (page.next() != null) {
                assertThat(page.items()).as("a page that is not the last").hasSize(limit);
                assertThat(keys).as("the key after which the next page begins").endsWith(page.next());
            } else {
                assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
                assertThat(keys.isEmpty() || !page.items().isEmpty())
                        .as("the page before this empty one was the last")
                        .isTrue();
            }
            after = page.next();
        } while (after != null);
        return keys;
    }
}
