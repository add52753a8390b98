package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;

/**
 * A reader's place in a conversation: everything up to and including {@code seq} is known to it. It comes from the coverage
 * of a page or from a {@linkplain StoredMessage#position() message}, and is kept whole: a cursor has no tag, and a position
 * made from one looks like rewritten history. A reader that has lost its position begins at {@link #START}.
 *
 * @param seq the last known sequence, 0 before the first message
 * @param tag the {@link Tag} of the message at {@code seq}; 0 at the start
 */
public record Position(long seq, int tag) {

    /** The place before the first message. */
    public static final Position START = new Position(0, 0);

    /** Checks that the sequence is not negative. */
    public Position {
        if (seq < 0) {
            throw new InvalidInputException("seq", "0 or more, was " + seq);
        }
    }
}
