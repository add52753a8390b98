package dev.tidemark.inbox;

import dev.tidemark.storage.StoredMessage;
import java.util.List;

/** Told of every stored message, after its commit, so that conversation lists and unread counters follow. */
@FunctionalInterface
public interface Indexer {

    /**
     * Brings lists and counters up to date, later and best effort: returns at once, never blocks and never throws. What is
     * missed is mended by reading.
     *
     * @param stored the messages of one batch, stored durably; within a conversation in the order of commits. Repeats bring
     *     a message again, and messages of a host's own transaction may come after later ones
     */
    void index(List<StoredMessage> stored);

    /** Indexes nothing: there are no conversation lists. */
    static Indexer none() {
        return stored -> {};
    }
}
