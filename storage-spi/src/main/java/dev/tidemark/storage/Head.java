package dev.tidemark.storage;

/**
 * What a conversation's row says of it.
 *
 * @param seq the highest sequence ever given out, 0 when there is none. It stays when rows are moved to an archive
 * @param floor every message up to and including this sequence has left this store for the archive; 0 when none has.
 *     The rows of this store are {@code floor + 1 … seq}, without gaps
 * @param tag the {@link Tag} of the message at {@code seq}; 0 when there is none
 */
public record Head(long seq, long floor, int tag) {

    /** A conversation that was never written to. */
    public static final Head EMPTY = new Head(0, 0, 0);

    /** Checks that {@code 0 <= floor <= seq}. */
    public Head {
        if (floor < 0 || seq < floor) {
            throw new IllegalArgumentException("expected 0 <= floor <= seq, was floor " + floor + ", seq " + seq);
        }
    }

    /** The head after {@code count} more messages, the last of them with this tag. */
    public Head plus(int count, int lastTag) {
        return new Head(seq + count, floor, lastTag);
    }

    /** Where a reader stands that knows everything. */
    public Position position() {
        return new Position(seq, tag);
    }
}
