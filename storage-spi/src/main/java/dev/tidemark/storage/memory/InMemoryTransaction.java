package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A transaction of a host of the {@link InMemoryMessageStore}, begun by {@link InMemoryMessageStore#begin()}. It holds the
 * conversations that were written to in it until it ends. Not safe for use by many threads at once.
 */
public final class InMemoryTransaction implements AutoCloseable {

    private final Map<String, InMemoryConversation> store;
    private final Set<InMemoryConversation> locked = new LinkedHashSet<>();
    private boolean open = true;

    InMemoryTransaction(Map<String, InMemoryConversation> store) {
        this.store = store;
    }

    /** Whether it has neither been committed nor rolled back. */
    public boolean isOpen() {
        return open;
    }

    /**
     * Sets a savepoint.
     *
     * @return rolls back to it when run: what was written after it is forgotten, its conversations stay locked. Once the
     *     transaction has ended it does nothing
     */
    public Runnable savepoint() {
        Map<InMemoryConversation, Long> before = new HashMap<>();
        locked.forEach(
                conversation -> before.put(conversation, conversation.rows().highest()));
        return () -> locked.forEach(conversation -> {
            Long highest = before.get(conversation);
            conversation.undo(highest == null ? conversation.rows().last() : highest);
        });
    }

    /**
     * Makes visible what was written in it, and ends it.
     *
     * @throws InvalidInputException naming {@code transaction} when it has ended already
     */
    public void commit() {
        if (!open) {
            throw new InvalidInputException("transaction", "an open transaction, has ended");
        }
        locked.forEach(InMemoryConversation::commit);
        end();
    }

    /** Forgets what was written in it, and ends it; does nothing when it has ended already. */
    public void rollback() {
        locked.forEach(conversation -> conversation.undo(conversation.rows().last()));
        end();
    }

    /** {@link #rollback()}. */
    @Override
    public void close() {
        rollback();
    }

    boolean isOpenOver(Map<String, InMemoryConversation> conversations) {
        return open && store == conversations;
    }

    /** Locks a conversation until the transaction ends, without waiting; says whether it is locked now. */
    boolean lock(InMemoryConversation conversation) {
        if (locked.contains(conversation)) {
            return true;
        }
        boolean isFree = conversation.lock(Duration.ZERO);
        if (isFree) {
            locked.add(conversation);
        }
        return isFree;
    }

    private void end() {
        open = false;
        locked.forEach(InMemoryConversation::unlock);
        locked.clear();
    }
}
