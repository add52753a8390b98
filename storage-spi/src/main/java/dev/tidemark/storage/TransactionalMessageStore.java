package dev.tidemark.storage;

import java.util.List;

/**
 * A message store that can store messages inside a transaction the host has opened, so that they are stored together with
 * the host's own rows or not at all (H36).
 *
 * @param <T> the host's transaction, for instance a {@code java.sql.Connection} with autocommit off
 */
public interface TransactionalMessageStore<T> extends MessageStore {

    /**
     * Stores drafts inside the caller's transaction. It works under a savepoint: when it throws, nothing of it is left in
     * the transaction. Nothing is committed, rolled back as a whole, closed or retried, and nobody
     * sees the messages before the caller commits.
     *
     * <p>A conversation that another transaction holds is answered with {@link AppendResult.Deferred} at once. From the
     * call to the end of the transaction the conversations written to are locked: elsewhere they are {@code Deferred}
     * meanwhile. Call it once per transaction, late in it, with all drafts: a second call may meet a conversation locked by
     * a transaction that waits for this one.
     *
     * <p>The sequences given are true only if the caller commits: tell nobody before.
     *
     * @param transaction the caller's open transaction
     * @param drafts any number, any conversations, any order
     * @return one result per draft, in the order of the drafts
     * @throws dev.tidemark.error.InvalidInputException naming {@code transaction} when it is not an open transaction
     * @throws StorageException on a fault, deadlocks and serialization failures included. On a deadlock MySQL and H2 have
     *     already rolled back the whole transaction, and MySQL's next statement silently begins another one: whoever gets
     *     this exception rolls back and, if at all, begins anew
     */
    List<AppendResult> appendWithin(T transaction, List<Draft> drafts);

    /**
     * {@link #appendWithin} for drafts that belong together: all of them are stored, or nothing of the call is left in the
     * transaction. When a draft is answered by {@link AppendResult.Conflict}, {@link AppendResult.Rejected} or {@link
     * AppendResult.Deferred}, the transaction is rolled back to where it was before the call, and goes on being usable; the
     * conversations may stay locked until it ends. What of the results {@linkplain AppendResult#isStored() is stored}
     * before the call remains so, but {@link AppendResult.Appended} then means only that the draft itself was not at fault.
     *
     * @param transaction the caller's open transaction
     * @param drafts any number, any conversations, any order
     * @return one result per draft, in the order of the drafts; something was stored only if each of them {@linkplain
     *     AppendResult#isStored() is stored}
     * @throws dev.tidemark.error.InvalidInputException naming {@code transaction} when it is not an open transaction
     * @throws StorageException as {@link #appendWithin}
     */
    List<AppendResult> appendAllWithin(T transaction, List<Draft> drafts);
}
