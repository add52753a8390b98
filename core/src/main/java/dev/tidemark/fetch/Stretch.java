package dev.tidemark.fetch;

import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.VisibleRange;
import java.util.List;

/**
 * The next rows that a user may see after a position, in one piece. What lies between the position and {@code from} is not
 * for this user's eyes and is jumped over, not scanned (H23).
 *
 * @param from the sequence to read after
 * @param last the last sequence of the piece; {@link VisibleRange#OPEN} while the membership lasts
 */
record Stretch(long from, long last) {

    /** The next stretch after a sequence; an empty one there when the user may see nothing after it. */
    static Stretch after(long seq, Visibility visibility) {
        for (VisibleRange range : visibility.ranges()) {
            if (range.last() > seq && range.last() >= range.first()) {
                return new Stretch(Math.max(seq, range.first() - 1), range.last());
            }
        }
        return new Stretch(seq, seq);
    }

    /** How many rows to read when {@code limit} are wanted: at least one, since the row before them is asked for as well. */
    int rows(int limit) {
        return (int) Math.max(1, Math.min(limit, last - from));
    }

    /**
     * Looks for a hole.
     *
     * @param messages the rows that were read after {@link #from}
     * @param limit how many were wanted
     * @param head the last row there should be
     * @return the first sequence that should be among them and is not; 0 when all are
     */
    long firstMissing(List<StoredMessage> messages, int limit, long head) {
        long next = from + 1;
        for (StoredMessage message : messages) {
            if (message.seq() != next) {
                return next;
            }
            next++;
        }
        return messages.size() < Math.min(rows(limit), Math.min(last, head) - from) ? next : 0;
    }
}
