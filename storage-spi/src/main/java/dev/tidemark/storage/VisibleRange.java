package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;

/**
 * A stretch of a conversation that a member may see, both ends included.
 *
 * @param first the first visible sequence, 1 or more
 * @param last the last visible sequence, or {@link #OPEN} while the membership lasts; {@code first - 1} for a member who
 *     left before anything was written
 */
public record VisibleRange(long first, long last) {

    /** The {@link #last()} of a membership that has not ended. */
    public static final long OPEN = Long.MAX_VALUE;

    /** Checks the ends. */
    public VisibleRange {
        if (first < 1) {
            throw new InvalidInputException("first", "1 or more, was " + first);
        }
        if (last < first - 1) {
            throw new InvalidInputException("last", first - 1 + " or more, was " + last);
        }
    }

    /** The range of somebody who joins and sees everything from {@code first} on. */
    public static VisibleRange from(long first) {
        return new VisibleRange(first, OPEN);
    }

    /** Whether the membership lasts. */
    public boolean isOpen() {
        return last == OPEN;
    }

    /** Whether the sequence is inside. */
    public boolean contains(long seq) {
        return first <= seq && seq <= last;
    }
}
