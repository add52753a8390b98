package dev.tidemark.storage;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one {@link Cursor} per (user, device, conversation), which only moves forward (P5). A key that was never written
 * holds {@link Cursor#NONE}.
 */
public interface CursorStore {

    /** The most entries one page of {@link #list} has, whatever is asked. */
    int MAX_LIMIT = 10_000;

    /**
     * Moves cursors forward. Per key the greater of the held and the given cursor, in the order of {@link Cursor}, is held
     * afterwards; a stale one changes nothing and is no error. The decision is made inside the store, in one step per key:
     * of any number of concurrent calls the greatest cursor stays (H13).
     *
     * <p>Keys are independent: when a fault interrupts a batch, some may have moved and others not. Repeating the call is
     * always safe.
     *
     * @param marks the cursors to move to
     * @return per key of {@code marks} the cursor now held, which is at least the one given
     * @throws dev.tidemark.error.InvalidInputException naming the part of a key that breaks the rules of {@link Ids}
     * @throws StorageException on a fault
     */
    Map<CursorKey, Cursor> advance(Map<CursorKey, Cursor> marks);

    /**
     * Reads cursors, with a constant number of queries.
     *
     * @return an entry for every key asked; {@link Cursor#NONE} for one never written
     * @throws StorageException on a fault
     */
    Map<CursorKey, Cursor> get(Collection<CursorKey> keys);

    /**
     * Puts a cursor anywhere, also back: the one operation that may. The generation is raised by one, so that an advance
     * that was under way, or waits in some buffer, does not undo it.
     *
     * @param key the cursor
     * @param seq where to put it, 0 or more
     * @return the cursor now held
     * @throws dev.tidemark.error.InvalidInputException naming {@code seq}, or the part of the key that breaks the rules of
     *     {@link Ids}
     * @throws StorageException on a fault
     */
    Cursor reset(CursorKey key, long seq);

    /**
     * The cursors of a device, in the byte order of the conversation's id.
     *
     * @param device whose cursors
     * @param after the last conversation of the page before, null for the first page
     * @param limit the most entries to return, 1 to {@link #MAX_LIMIT}
     * @return the page; its {@link KeyPage#next()} goes into {@code after} of the next call
     * @throws dev.tidemark.error.InvalidInputException naming {@code limit}
     * @throws StorageException on a fault
     */
    KeyPage<Held> list(DeviceId device, @Nullable String after, int limit);

    /** Called once at start; see {@link MessageLog#verify()}. */
    default void verify() {}

    /**
     * A cursor with its key.
     *
     * @param key names it
     * @param cursor what is held
     */
    record Held(CursorKey key, Cursor cursor) {}
}
