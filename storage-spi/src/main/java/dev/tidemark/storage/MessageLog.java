package dev.tidemark.storage;

import java.util.Collection;
import java.util.Map;

/**
 * The read side of a conversation's messages. A host whose own code writes the messages implements only this, over its
 * own tables, as long as those keep the promise the readers live on: in one conversation sequences are 1, 2, 3, … without
 * gaps, and no reader can see {@code n + 1} before {@code n} is visible (P2).
 *
 * <p>Reads go to the primary, see everything committed before the call, and never anything uncommitted. They do not lock
 * and do not wait for an append.
 */
public interface MessageLog {

    /** The most rows one read returns, whatever is asked. */
    int MAX_LIMIT = 10_000;

    /**
     * Reads forward.
     *
     * @param conversation the conversation; one that does not exist is answered with {@link Head#EMPTY} and no rows
     * @param after rows have a sequence greater than this; 0 or more. May lie past the head (no rows then)
     * @param limit the most rows to return, 1 to {@link #MAX_LIMIT}
     * @return the lowest {@code limit} rows after {@code after}, ascending; {@link Slice#anchor()} is the tag of the row
     *     at {@code after} itself
     * @throws dev.tidemark.error.InvalidInputException naming {@code after} or {@code limit}
     * @throws StorageException on a fault
     */
    Slice after(String conversation, long after, int limit);

    /**
     * Reads backward.
     *
     * @param conversation the conversation; one that does not exist is answered with {@link Head#EMPTY} and no rows
     * @param before rows have a sequence less than this; 1 or more, {@code Long.MAX_VALUE} for the newest rows
     * @param limit the most rows to return, 1 to {@link #MAX_LIMIT}
     * @return the highest {@code limit} rows before {@code before}, ascending all the same; {@link Slice#anchor()} is null
     * @throws dev.tidemark.error.InvalidInputException naming {@code before} or {@code limit}
     * @throws StorageException on a fault
     */
    Slice before(String conversation, long before, int limit);

    /**
     * The heads of many conversations, with a constant number of queries.
     *
     * @param conversations any number of ids; repeats are allowed
     * @return an entry for every id asked; {@link Head#EMPTY} for a conversation that does not exist
     * @throws StorageException on a fault
     */
    Map<String, Head> heads(Collection<String> conversations);

    /**
     * Called once when Tidemark starts: checks that this store can keep its promises (schema there and of the right
     * version, commits durable). Does nothing by default.
     *
     * @throws StorageException of kind {@link StorageException.Kind#UNSUPPORTED} with the remedy in its message
     */
    default void verify() {}
}
