package dev.tidemark.storage;

import java.util.List;

/**
 * What a user may see of a conversation: a list of ranges, since people leave and rejoin (H23).
 *
 * @param ranges ascending, not overlapping; only the last may be open
 */
public record Visibility(List<VisibleRange> ranges) {

    /** Of somebody who never was a member. */
    public static final Visibility NONE = new Visibility(List.of());

    /** Checks the order; keeps an unmodifiable copy. */
    public Visibility {
        ranges = List.copyOf(ranges);
        for (int i = 1; i < ranges.size(); i++) {
            VisibleRange earlier = ranges.get(i - 1);
            if (earlier.isOpen() || ranges.get(i).first() <= earlier.last()) {
                throw new IllegalArgumentException("ranges: expected ascending and apart, was " + ranges);
            }
        }
    }

    /** Whether the user is a member now. */
    public boolean isMember() {
        return !ranges.isEmpty() && ranges.get(ranges.size() - 1).isOpen();
    }

    /** Whether the user may see something, or could once there is something. */
    public boolean isAny() {
        return !ranges.isEmpty();
    }

    /** Whether the user may see the message at this sequence. */
    public boolean sees(long seq) {
        for (VisibleRange range : ranges) {
            if (range.contains(seq)) {
                return true;
            }
        }
        return false;
    }

    /** The highest visible sequence when the conversation's head is {@code head}; 0 when nothing is visible. */
    public long headWithin(long head) {
        for (int i = ranges.size() - 1; i >= 0; i--) {
            VisibleRange range = ranges.get(i);
            if (range.first() <= Math.min(range.last(), head)) {
                return Math.min(range.last(), head);
            }
        }
        return 0;
    }
}
