package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;
import java.util.Comparator;

/**
 * How far a device has rendered a conversation. Cursors are ordered by generation, then by sequence, and a store moves
 * only forward in that order. A reset raises the generation, so that whatever was known before it, however late it is
 * written, is behind it (H13).
 *
 * @param seq everything up to and including this sequence was rendered; 0 for nothing
 * @param generation how often the cursor was reset
 */
public record Cursor(long seq, long generation) implements Comparable<Cursor> {

    /** The cursor of a device that never acknowledged anything. */
    public static final Cursor NONE = new Cursor(0, 0);

    private static final Comparator<Cursor> ORDER =
            Comparator.comparingLong(Cursor::generation).thenComparingLong(Cursor::seq);

    /** Checks that neither component is negative. */
    public Cursor {
        if (seq < 0) {
            throw new InvalidInputException("seq", "0 or more, was " + seq);
        }
        if (generation < 0) {
            throw new InvalidInputException("generation", "0 or more, was " + generation);
        }
    }

    /** This cursor moved to {@code newSeq} within its generation. */
    public Cursor at(long newSeq) {
        return new Cursor(newSeq, generation);
    }

    @Override
    public int compareTo(Cursor other) {
        return ORDER.compare(this, other);
    }
}
