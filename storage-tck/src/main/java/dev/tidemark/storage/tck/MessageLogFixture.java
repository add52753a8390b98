package dev.tidemark.storage.tck;

import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageLog;
import java.util.List;

/** Opens a message log, and the writer that fills it, for one test. */
public interface MessageLogFixture extends AutoCloseable {

    /** The log under test, the same on every call. */
    MessageLog log();

    /**
     * Stores messages the way the host's own code does: per conversation they get the sequences that follow its head,
     * in the order of the list. All are new; on return they are committed.
     *
     * @param drafts up to some thousands, of any conversations
     */
    void write(List<Draft> drafts);

    /**
     * Closes whatever was opened. The place to check that the store returned what it borrowed, as it found it (every
     * connection closed, with the autocommit and isolation it had): an exception thrown here fails the test. Nothing by
     * default.
     */
    @Override
    default void close() {}
}
