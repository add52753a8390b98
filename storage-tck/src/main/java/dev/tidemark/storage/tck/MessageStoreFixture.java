package dev.tidemark.storage.tck;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.MessageStore;
import java.time.Clock;
import java.util.Collection;
import java.util.List;

/**
 * Opens a message store for one test, and does to it what the world outside does. Only the first two methods are
 * needed; each of the others belongs to a {@link Capability} and throws {@link UnsupportedOperationException} as long
 * as it is not implemented.
 *
 * <p>For a database one class serves every contract and variant. Faults are best injected by a thin proxy around the
 * connections the store borrows.
 */
public interface MessageStoreFixture extends MessageLogFixture {

    /** The instance under test, the same on every call. Its clock is the system's. */
    MessageStore store();

    /**
     * One more instance over the same data, as on another node whose clock is this one. Instances that keep something
     * open are closed with the fixture.
     */
    MessageStore another(Clock clock);

    /** {@link #another(Clock)} with the system's clock. */
    default MessageStore another() {
        return another(Clock.systemUTC());
    }

    /** {@link #store()}. */
    @Override
    default MessageLog log() {
        return store();
    }

    /** Appends the drafts on {@link #another()} instance. */
    @Override
    default void write(List<Draft> drafts) {
        for (AppendResult result : another().append(drafts)) {
            if (!(result instanceof AppendResult.Appended)) {
                throw new AssertionError("a fresh draft of a conversation nobody holds was answered by " + result);
            }
        }
    }

    /**
     * Holds the locks of conversations the way a node does that is paused inside an append (H41): in one transaction
     * that does not end before the hold is released.
     *
     * @param conversations some that exist and that nobody else holds
     */
    default Hold holdLocks(Collection<String> conversations) {
        throw Capability.LOCKS.unsupported();
    }

    /**
     * Deletes the conversation's head and leaves its messages, as a script that went wrong does (H15).
     *
     * @param conversation one that exists
     */
    default void deleteHead(String conversation) {
        throw Capability.TAMPERING.unsupported();
    }

    /**
     * Overwrites the sequence of the conversation's head and leaves everything else, as a script that went wrong does
     * (H15).
     *
     * @param conversation one that exists
     * @param seq the sequence to claim, below the true one
     */
    default void setHead(String conversation, long seq) {
        throw Capability.TAMPERING.unsupported();
    }

    /**
     * Takes a backup of everything stored.
     *
     * @return brings the backup back: what was stored since is gone (H16). Run at most once, while nothing else runs
     */
    default Runnable backup() {
        throw Capability.BACKUPS.unsupported();
    }

    /**
     * A draft that {@link MessageStore#limits()} lets pass and the database refuses, for instance by a CHECK constraint
     * that the fixture added to the table (H7).
     */
    default Draft poison(String conversation, String sender, String messageId) {
        throw Capability.CONSTRAINTS.unsupported();
    }

    /**
     * Lets the connection die at the next commit, of whichever instance, that has inserted something (H6): after it was
     * sent, the driver throws what it throws when the server does not answer any more. After that one everything works
     * again. A statement in autocommit mode is a commit, too.
     *
     * @param fault whether the server committed
     */
    default void failNextCommit(CommitFault fault) {
        throw Capability.COMMIT_FAULTS.unsupported();
    }

    /**
     * Stops the next commit, of whichever instance, that has inserted something: its writes are done, their locks held,
     * and nobody sees them (H1, H3). It goes through when the pause is released. Commits after that one are not
     * stopped.
     */
    default Pause pauseNextCommit() {
        throw Capability.COMMIT_PAUSES.unsupported();
    }

    /**
     * Lets statements fail the way a database ends a transaction that would go through if begun anew (H35): each throws
     * what the driver throws, and leaves its transaction as the database leaves it, on a caller's connection too:
     * rolled back, or refusing everything until it is rolled back to a savepoint. Statements of all instances count,
     * and COMMIT counts as one.
     *
     * @param skip how many statements go through before
     * @param count how many fail then; the following go through
     * @param fault how they fail
     * @return ends it, whatever is left of it
     */
    default Hold failStatements(int skip, int count, RetryableFault fault) {
        throw Capability.RETRYABLE_FAULTS.unsupported();
    }

    /**
     * Lets one statement fail the way one does that was cancelled or ran into its timeout, and that is worth no retry:
     * it throws what the driver throws (SQLState 57014, say) and did nothing, and its transaction is left as the
     * database leaves it, on a caller's connection too: open and with all it had, at the most refusing everything until
     * it is rolled back to a savepoint. Statements of all instances count, and COMMIT counts as one.
     *
     * @param skip how many statements go through before
     * @return ends it, if it was not met
     */
    default Hold cancelStatement(int skip) {
        throw Capability.CANCELLATIONS.unsupported();
    }
}
