package dev.tidemark.storage.append;

import java.util.Objects;

/**
 * What a primitive throws when the database said one of the few things the algorithm knows an answer to. Everything else
 * is a {@link dev.tidemark.storage.StorageException}.
 */
public final class AppendFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What the database said. */
    public enum Kind {
        /** A key, or a (conversation, sequence), is already there. */
        KEY_TAKEN,
        /** A value breaks a rule of the database: too long, out of range, a violated constraint, a trigger's veto. */
        UNSTORABLE,
        /** The wait for a lock was over. */
        LOCK_TIMEOUT,
        /** A deadlock or a serialization failure: nothing of the transaction happened, the next try may succeed. */
        TRY_AGAIN
    }

    private final Kind kind;
    private final String reason;

    /**
     * Translates the database's own exception.
     *
     * @param kind what it means
     * @param reason what the database said, without any part of a message's content: it may be logged
     * @param cause the database's own exception
     */
    public AppendFault(Kind kind, String reason, Throwable cause) {
        super(reason, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /** What the database said, without any part of a message's content. */
    public String reason() {
        return reason;
    }

    /** What the database said. */
    public Kind kind() {
        return kind;
    }
}
