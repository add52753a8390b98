package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;

/**
 * A reader's place in a conversation: everything up to and including {@code seq} is known to it.
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
