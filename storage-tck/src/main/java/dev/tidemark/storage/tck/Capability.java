package dev.tidemark.storage.tck;

import java.util.List;

/**
 * What a {@link MessageStoreFixture} can do to its store beyond opening it. A test class declares what its fixture
 * cannot do in {@link MessageStoreContract#missing()}.
 */
public enum Capability {
    /** {@link MessageStoreFixture#holdLocks}: another node holds a conversation (H41, H42). */
    LOCKS("hold the lock of a conversation"),
    /** {@link MessageStoreFixture#deleteHead} and {@link MessageStoreFixture#setHead}: scripts that went wrong (H15). */
    TAMPERING("delete or set back a conversation's head"),
    /** {@link MessageStoreFixture#backup}: yesterday's data comes back (H16). */
    BACKUPS("restore a backup"),
    /** {@link MessageStoreFixture#poison}: limits that only the database knows (H7). */
    CONSTRAINTS("make a draft that only the database refuses"),
    /** {@link MessageStoreFixture#failNextCommit}: the connection dies at COMMIT (H6). */
    COMMIT_FAULTS("lose the connection at COMMIT"),
    /** {@link MessageStoreFixture#pauseNextCommit}: a node stands still between its last write and COMMIT (H1, H3). */
    COMMIT_PAUSES("pause at COMMIT"),
    /** {@link MessageStoreFixture#failStatements}: deadlocks and serialization failures (H35). */
    RETRYABLE_FAULTS("fail a statement as a deadlock does"),
    /** {@link MessageStoreFixture#cancelStatement}: a statement that fails alone (H36). */
    CANCELLATIONS("cancel a statement");

    private final String verb;

    Capability(String verb) {
        this.verb = verb;
    }

    /** Tries it: throws {@link UnsupportedOperationException} where the fixture cannot. */
    void tryOn(MessageStoreFixture fixture) {
        String conversation = Fresh.id("conversation");
        switch (this) {
            case LOCKS -> fixture.holdLocks(List.of(conversation)).release();
            case TAMPERING -> fixture.deleteHead(conversation);
            case BACKUPS -> fixture.backup();
            case CONSTRAINTS -> fixture.poison(conversation, "ann", "poison");
            case COMMIT_FAULTS -> fixture.failNextCommit(CommitFault.BEFORE);
            case COMMIT_PAUSES -> fixture.pauseNextCommit().release();
            case RETRYABLE_FAULTS ->
                fixture.failStatements(0, 1, RetryableFault.DEADLOCK).release();
            case CANCELLATIONS -> fixture.cancelStatement(0).release();
        }
    }

    /** What is missing, in words, for the report. */
    String cannot() {
        return name() + ": the fixture cannot " + verb;
    }

    UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException(cannot() + "; implement it there, or declare it missing");
    }
}
