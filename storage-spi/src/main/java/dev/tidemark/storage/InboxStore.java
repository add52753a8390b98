package dev.tidemark.storage;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each user's list of conversations: the latest message, the recency, the number of unread messages. It is an index
 * over the messages, never the truth: it may lag, miss an update, or be lost, and is mended from the messages. What it says
 * of unread messages says itself how far it goes, see {@link InboxEntry}.
 *
 * <p>Entries are independent: when a fault interrupts a batch, some may have changed and others not, and every operation
 * may be repeated: at worst a counter becomes a {@linkplain InboxEntry#MISS miss}.
 */
public interface InboxStore {

    /** The most entries one page has, whatever is asked. */
    int MAX_LIMIT = 1_000;

    /**
     * Brings entries up to date after messages were stored, all in one round trip or few, whatever their number. An entry
     * that is not there yet is created, counted from the beginning: read to 0 and counted to 0.
     *
     * <ul>
     *   <li>The counter: when the update is the next one ({@code first} is {@code countedTo + 1} and the counter is no
     *       miss) it grows by {@code countable}, Any other update makes it a miss: an
     *       update was lost, or came twice, or out of order. {@code countedTo} becomes the sequence of the update's latest
     *       message, unless it is higher already.
     *   <li>The latest message: replaced when the update's has a higher sequence, or the same one.
     *   <li>The recency: the later of what it was and the update's {@code storedAt}. It never goes back, whatever the
     *       clocks of the nodes say (H32).
     * </ul>
     *
     * Each entry is decided inside the store, in one step; concurrent updates of one entry take effect one after the other.
     *
     * @param updates at most one of each key
     * @throws dev.tidemark.error.InvalidInputException naming {@code updates} when a key is there twice, or {@code
     *     conversation}, {@code user}, {@code sender} or {@code kind} when one breaks the rules of {@link Ids}; nothing
     *     happened then
     * @throws StorageException on a fault
     */
    void index(Collection<InboxUpdate> updates);

    /**
     * Puts in the result of counting anew; an entry that is not there is created. An entry whose read position is higher
     * than the recount's, or whose counter is no miss and counts further, is left alone altogether: it knows more. Where the
     * recount brings a latest message, that takes effect as in {@link #index}.
     *
     * @param recounts at most one of each key
     * @throws dev.tidemark.error.InvalidInputException as {@link #index}, naming {@code recounts} for {@code updates}
     * @throws StorageException on a fault
     */
    void recount(Collection<InboxRecount> recounts);

    /**
     * Moves read positions forward; a stale one changes nothing. A counter whose read position moves becomes a miss, unless
     * the new position is at or past {@code countedTo}, where nothing that was told of is left to read: then it is 0 and
     * counts to the new position, a miss too. An entry that is not there is created, with no latest message.
     *
     * @param readTo the positions, 0 or more each
     * @throws dev.tidemark.error.InvalidInputException naming the part of a key that breaks the rules of {@link Ids}, or
     *     {@code readTo}
     * @throws StorageException on a fault
     */
    void read(Map<MemberKey, Long> readTo);

    /**
     * Makes counters misses, so that they are counted anew on the next read. Entries that are not there stay so.
     *
     * @throws StorageException on a fault
     */
    void doubt(Collection<MemberKey> keys);

    /**
     * Removes entries, for instance when a user has left or deletes a conversation from the list; it comes back with the
     * next message. Entries that are not there stay so.
     *
     * @throws StorageException on a fault
     */
    void remove(Collection<MemberKey> keys);

    /**
     * Reads entries, with a constant number of queries.
     *
     * @return an entry for every key that is there
     * @throws StorageException on a fault
     */
    Map<MemberKey, InboxEntry> get(Collection<MemberKey> keys);

    /**
     * A user's list, the most recent first; among equal times in the byte order of the conversation's id, descending. The
     * entries without a latest message are not part of it. One query, whatever the length of the list.
     *
     * @param user whose list
     * @param after {@link InboxPage#next()} of the page before, null for the first page
     * @param limit the most entries to return, 1 to {@link #MAX_LIMIT}
     * @throws dev.tidemark.error.InvalidInputException naming {@code limit}
     * @throws StorageException on a fault
     */
    InboxPage list(String user, InboxPage.@Nullable Place after, int limit);

    /** Called once at start; see {@link MessageLog#verify()}. */
    default void verify() {}
}
