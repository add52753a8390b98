package dev.tidemark.storage.append;

import java.util.function.Function;

/**
 * Where the append algorithm runs: in transactions of its own, or under savepoints of a transaction of the caller's.
 *
 * @param <T> a transaction
 */
public interface Transactions<T> {

    /**
     * Runs work atomically: what it wrote counts when this returns, and is undone when it throws.
     *
     * @throws dev.tidemark.storage.StorageException {@link
     *     dev.tidemark.storage.StorageException.Kind#UNKNOWN_OUTCOME} when the commit was sent and its outcome is not known
     */
    <R> R attempt(Function<T, R> work);

    /** Runs reads, each of which sees what is committed; they need not see the same moment. */
    <R> R read(Function<T, R> work);

    /** Runs work inside an attempt so that its writes alone are undone when it throws; the attempt goes on. */
    void nested(T transaction, Runnable work);

    /** Whether an attempt that met a deadlock or a serialization failure may be made again. */
    boolean isRepeatable();
}
