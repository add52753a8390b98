package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.KeyPage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The reference of {@link CursorStore}. */
public final class InMemoryCursorStore implements CursorStore {

    private final Map<CursorKey, Cursor> cursors = new ConcurrentHashMap<>();

    /** An empty store. */
    public InMemoryCursorStore() {}

    @Override
    public Map<CursorKey, Cursor> advance(Map<CursorKey, Cursor> marks) {
        marks.keySet().forEach(InMemoryKeys::check);
        Map<CursorKey, Cursor> held = new HashMap<>();
        marks.forEach((key, mark) ->
                held.put(key, cursors.merge(key, mark, (old, given) -> given.compareTo(old) > 0 ? given : old)));
        return Map.copyOf(held);
    }

    @Override
    public Map<CursorKey, Cursor> get(Collection<CursorKey> keys) {
        Map<CursorKey, Cursor> held = new HashMap<>();
        for (CursorKey key : keys) {
            held.put(key, cursors.getOrDefault(key, Cursor.NONE));
        }
        return Map.copyOf(held);
    }

    @Override
    public Cursor reset(CursorKey key, long seq) {
        InMemoryKeys.check(key);
        if (seq < 0) {
            throw new InvalidInputException("seq", "0 or more, was " + seq);
        }
        return cursors.merge(
                key,
                new Cursor(seq, Cursor.NONE.generation() + 1),
                (old, given) -> new Cursor(seq, old.generation() + 1));
    }

    @Override
    public KeyPage<Held> list(DeviceId device, @Nullable String after, int limit) {
        Map<String, Held> ofDevice = new TreeMap<>(InMemoryKeys.BYTE_ORDER);
        cursors.forEach((key, cursor) -> {
            if (key.owner().equals(device)) {
                ofDevice.put(key.conversation(), new Held(key, cursor));
            }
        });
        return InMemoryKeys.page(
                List.copyOf(ofDevice.values()), held -> held.key().conversation(), after, limit);
    }
}
