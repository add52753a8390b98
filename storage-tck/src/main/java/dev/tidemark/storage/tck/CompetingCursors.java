package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One node that moves cursors at random, with what it knows of their generations, and believes nothing. */
final class CompetingCursors {

    private static final int CALLS = 200;

    private final CursorStore store;
    private final List<CursorKey> keys;
    private final Random random;
    private final boolean resets;

    /** What the store has told any node to be held: it may not tell less to a call that begins later. */
    private final Map<CursorKey, Cursor> told;

    /** What this node itself has given or put. */
    private final Map<CursorKey, Cursor> given = new HashMap<>();

    CompetingCursors(
            CursorStore store, List<CursorKey> keys, Map<CursorKey, Cursor> told, Random random, boolean resets) {
        this.store = store;
        this.keys = keys;
        this.told = told;
        this.random = random;
        this.resets = resets;
    }

    static Cursor greater(Cursor one, Cursor other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** The greatest cursor per key that this node has given or put. */
    Map<CursorKey, Cursor> run() {
        for (int i = 0; i < CALLS; i++) {
            if (resets && random.nextInt(5) == 0) {
                reset(anyKey());
            } else if (random.nextInt(5) == 0) {
                Map<CursorKey, Cursor> before = Map.copyOf(told);
                hear(before, store.get(keys));
            } else {
                advance();
            }
        }
        return given;
    }

    private void reset(CursorKey key) {
        Map<CursorKey, Cursor> before = Map.copyOf(told);
        long seq = random.nextInt(1_000);
        Cursor put = store.reset(key, seq);
        assertThat(put.seq()).isEqualTo(seq);
        assertThat(put.generation())
                .as("a reset raises the generation of %s", key)
                .isGreaterThan(before.getOrDefault(key, Cursor.NONE).generation());
        given.merge(key, put, CompetingCursors::greater);
        hear(before, Map.of(key, put));
    }

    private void advance() {
        Map<CursorKey, Cursor> before = Map.copyOf(told);
        Map<CursorKey, Cursor> marks = new HashMap<>();
        for (int i = 0; i <= random.nextInt(keys.size()); i++) {
            CursorKey key = anyKey();
            long generation = before.getOrDefault(key, Cursor.NONE).generation();
            // What waited in some buffer is of a generation before.
            long late = Math.min(generation, random.nextInt(2));
            marks.put(key, new Cursor(random.nextInt(1_000), generation - late));
        }
        Map<CursorKey, Cursor> held = store.advance(marks);
        assertThat(held).containsOnlyKeys(marks.keySet());
        marks.forEach((key, mark) -> {
            given.merge(key, mark, CompetingCursors::greater);
            assertThat(held.get(key))
                    .as("at least the %s given for %s is held", mark, key)
                    .isGreaterThanOrEqualTo(mark);
        });
        hear(before, held);
    }

    private void hear(Map<CursorKey, Cursor> before, Map<CursorKey, Cursor> held) {
        held.forEach((key, cursor) -> {
            assertThat(cursor)
                    .as("%s does not go back", key)
                    .isGreaterThanOrEqualTo(before.getOrDefault(key, Cursor.NONE));
            told.merge(key, cursor, CompetingCursors::greater);
        });
    }

    private CursorKey anyKey() {
        return keys.get(random.nextInt(keys.size()));
    }
}
