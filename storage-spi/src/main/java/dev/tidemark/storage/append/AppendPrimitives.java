package dev.tidemark.storage.append;

import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What one database layout does for {@link AppendAlgorithm}. Collections of conversations come sorted and without repeats;
 * an implementation keeps to that order wherever it takes locks.
 *
 * <p>Each method throws an {@link AppendFault} for what that class names, and a {@link
 * dev.tidemark.storage.StorageException} for any other fault.
 *
 * @param <T> a transaction
 */
public interface AppendPrimitives<T> {

    /**
     * Locks conversations for writing until the transaction ends.
     *
     * @param wait how long to wait for one that is locked elsewhere; with {@link Duration#ZERO} it is passed over
     * @return the heads of those that are locked now, read after the lock was taken; no entry for those that are locked
     *     elsewhere or do not exist
     */
    Map<String, Head> lockHeads(T transaction, List<String> conversations, Duration wait);

    /**
     * Looks up which keys are stored. In a transaction of the algorithm's own it sees everything that was committed before
     * the call: the look-up after the lock is what makes a repeat find its first (H3). In a caller's transaction it may see
     * the snapshot of that.
     */
    Map<MessageKey, Receipt> find(T transaction, Collection<MessageKey> keys);

    /**
     * Inserts rows, all or none.
     *
     * @throws AppendFault {@link AppendFault.Kind#KEY_TAKEN} or {@link AppendFault.Kind#UNSTORABLE}; the transaction may
     *     be unusable then until it is rolled back, or rolled back to a savepoint
     */
    void insert(T transaction, List<NumberedDraft> rows);

    /** Writes the heads of conversations that this transaction has locked; the floors are as they were locked. */
    void moveHeads(T transaction, Map<String, Head> heads);

    /**
     * The heads as the rows themselves tell them, wherever they lie: the highest sequence with its tag. No entry for a
     * conversation without rows. Sees what {@link #find} sees.
     */
    Map<String, Head> lastRows(T transaction, List<String> conversations);

    /** Which of the conversations have a row for their head, without locking and without waiting. */
    Collection<String> existing(T transaction, List<String> conversations);

    /**
     * Creates rows for heads where there are none; those that are there stay as they are. A row that another transaction is
     * creating is waited for about as long as {@link Locking#PATIENCE}, as far as the database can be told so (H41).
     *
     * @throws AppendFault {@link AppendFault.Kind#LOCK_TIMEOUT} after that; nothing happened then
     */
    void createHeads(T transaction, Map<String, Head> heads);

    /**
     * Whether {@link #appendFresh} works: lock, number and insert in one round trip to the database.
     *
     * @return false by default
     */
    default boolean canAppendFresh() {
        return false;
    }

    /**
     * Appends drafts that are believed to be fresh: locks the conversations, gives the drafts the sequences after the head
     * in their order, inserts them and moves the heads, all in one transaction of its own, committed when it returns.
     *
     * @param drafts by conversation, sorted by it; none of the lists is empty
     * @param locking how to take the locks
     * @return the heads before the append, of the conversations that were written; no entry for those that were passed over
     *     or do not exist
     * @throws AppendFault of any kind; nothing happened then
     */
    default Map<String, Head> appendFresh(List<FreshDrafts> drafts, Locking locking) {
        throw new IllegalStateException("canAppendFresh() is false");
    }
}
