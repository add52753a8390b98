package dev.tidemark.fetch;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.Visibility;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page. The rules:
 *
 * <ul>
 *   <li>The row at the device's position is compared with what the device knows of it, whether the user may see it or not.
 *   <li>A page lies within one visible range. Its coverage ends at its last message, whose tag the device may know, so the
 *       next page can be checked against it; the tag of an invisible row is never given out. What is invisible before a
 *       range is covered by the page that follows it.
 *   <li>Below the visible head there is always a visible row to come to. So a page that is empty is one that is up to date,
 *       and it covers nothing new: a reader never stands inside an invisible stretch because of a page.
 * </ul>
 */
final class PageReader {

    private final MessageLog log;
    private final CursorStore cursors;
    private final ConversationDirectory directory;

    PageReader(MessageLog log, CursorStore cursors, ConversationDirectory directory) {
        this.log = log;
        this.cursors = cursors;
        this.directory = directory;
    }

    /**
     * Reads.
     *
     * @throws StorageException on a fault, of the kind CORRUPT when rows are missing
     */
    PageResult read(DeviceId device, String conversation, Position after, int limit) {
        Visibility visibility = visibility(conversation, device.user());
        if (!visibility.isAny()) {
            return new PageResult.Refused(Refusal.of(
                    ErrorCode.NOT_A_MEMBER,
                    "user " + device.user() + " is not a member of conversation " + conversation));
        }
        Stretch stretch = Stretch.after(after.seq(), visibility);
        // Where there is nothing to compare, at the start, the stretch is read at once.
        boolean jumps = after.seq() > 0 && stretch.from() > after.seq();
        Slice slice = jumps
                ? log.after(conversation, after.seq(), 1)
                : log.after(conversation, stretch.from(), stretch.rows(limit));
        PageResult.Reset.Reason another = compare(after, slice);
        if (another != null) {
            return new PageResult.Reset(conversation, after, another, visibleHead(conversation, slice, visibility));
        }
        if (jumps) {
            slice = log.after(conversation, stretch.from(), stretch.rows(limit));
        }
        long head = headSeq(slice);
        long visibleHead = visibility.headWithin(head);
        if (after.seq() >= visibleHead) {
            return page(device, conversation, after, visibleHead, List.of());
        }
        if (stretch.from() < slice.head().floor()) {
            return new PageResult.Archived(conversation, after, slice.head().floor());
        }
        long missing = stretch.firstMissing(slice.messages(), limit, head);
        return missing == 0
                ? page(device, conversation, after, visibleHead, slice.messages())
                : archivedMeanwhile(conversation, after, missing);
    }

    private Visibility visibility(String conversation, String user) {
        MemberKey key = new MemberKey(conversation, user);
        return Objects.requireNonNullElse(directory.visibility(Set.of(key)).get(key), Visibility.NONE);
    }

    /** Whether history is another one than the device knows (P10); null when it is the same, or cannot be told. */
    private static PageResult.Reset.@Nullable Reason compare(Position after, Slice slice) {
        if (after.seq() == 0) {
            return null;
        }
        Integer anchor = slice.anchor();
        if (anchor == null) {
            // Not in this store: in the archive, or gone with the end of history.
            return after.seq() > slice.head().seq() ? PageResult.Reset.Reason.BEYOND_HEAD : null;
        }
        return anchor == after.tag() ? null : PageResult.Reset.Reason.REWRITTEN;
    }

    private Position visibleHead(String conversation, Slice slice, Visibility visibility) {
        long seq = visibility.headWithin(slice.head().seq());
        if (seq == 0) {
            return Position.START;
        }
        if (seq == slice.head().seq()) {
            return slice.head().position();
        }
        Integer tag = log.after(conversation, seq, 1).anchor();
        return new Position(seq, tag == null ? 0 : tag);
    }

    /** Rows may be newer than the head, which may have been read before them; both count (or the head was set back, H15). */
    private static long headSeq(Slice slice) {
        List<StoredMessage> messages = slice.messages();
        long last = messages.isEmpty() ? 0 : messages.get(messages.size() - 1).seq();
        return Math.max(last, slice.head().seq());
    }

    private PageResult page(
            DeviceId device, String conversation, Position after, long visibleHead, List<StoredMessage> messages) {
        CursorKey key = device.in(conversation);
        Cursor cursor = Objects.requireNonNullElse(cursors.get(Set.of(key)).get(key), Cursor.NONE);
        Position covered =
                messages.isEmpty() ? after : messages.get(messages.size() - 1).position();
        return new PageResult.Page(conversation, after, covered, visibleHead, messages, cursor);
    }

    /** A row is missing. Either it went to the archive after the head was read, or somebody has to look. */
    private PageResult archivedMeanwhile(String conversation, Position after, long missing) {
        Head head = log.heads(Set.of(conversation)).getOrDefault(conversation, Head.EMPTY);
        if (missing <= head.floor()) {
            return new PageResult.Archived(conversation, after, head.floor());
        }
        throw new StorageException(
                StorageException.Kind.CORRUPT,
                "conversation " + conversation + " has no row at seq " + missing + ", below its head " + head.seq(),
                null);
    }
}
