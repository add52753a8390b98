package dev.tidemark.storage;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The message store: numbers, deduplicates and stores messages durably. It is the truth everything else derives from. */
public interface MessageStore extends MessageLog {

    /** What this store can hold; constant over its life. */
    StoreLimits limits();

    /**
     * Stores drafts.
     *
     * <p><b>Numbering.</b> The fresh drafts of one conversation get the sequences that follow its head, in the order of
     * the list. The head moves only by what was inserted: no sequence is ever skipped, given twice or taken back, also
     * when the conversation's row was lost or set back (H15).
     *
     * <p><b>Atomicity.</b> The drafts of one conversation become visible together or not at all, except those that are
     * rejected. Drafts of different conversations are independent.
     *
     * <p><b>Idempotency.</b> A draft whose {@link Draft#key()} is stored already, or stands earlier in the list, is
     * answered by {@link Receipt#answer(long)} and not written (H2, H3, H4, H5).
     *
     * <p><b>Waiting.</b> A conversation that another transaction holds is waited for at most {@code wait}; then its drafts
     * are {@link AppendResult.Deferred}, all of them, and the other conversations' drafts are stored all the same (H41).
     * With {@link Duration#ZERO} they are deferred at once, however many are locked; a store may first give other appends
     * the few milliseconds they need to end.
     *
     * <p><b>Durability.</b> {@link AppendResult.Appended} and {@link AppendResult.Duplicate} are given only for what is
     * committed durably (P1).
     *
     * @param drafts any number, any conversations, any order
     * @param wait how long to wait for a locked conversation, 0 or more. A wait may be rounded up to what the database
     *     can express, at most to the next whole second
     * @return one result per draft, in the order of the drafts
     * @throws StorageException {@link StorageException.Kind#UNAVAILABLE} when no draft was stored, {@link
     *     StorageException.Kind#UNKNOWN_OUTCOME} when some may have been: append the same drafts again to find out (H6).
     *     Deadlocks and serialization failures are retried inside and not seen here (H35)
     */
    List<AppendResult> append(List<Draft> drafts, Duration wait);

    /** {@link #append(List, Duration)} without waiting. */
    default List<AppendResult> append(List<Draft> drafts) {
        return append(drafts, Duration.ZERO);
    }

    /**
     * Looks messages up by what they are recognised by, with a constant number of queries.
     *
     * @param keys any number of keys; repeats are allowed
     * @return an entry for every key that is stored; no entry for the others
     * @throws StorageException on a fault
     */
    Map<MessageKey, Receipt> find(Collection<MessageKey> keys);
}
