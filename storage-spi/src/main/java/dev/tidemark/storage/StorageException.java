package dev.tidemark.storage;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.TidemarkException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fault of a store. Its {@link #kind()} says what the caller may do. */
public final class StorageException extends TidemarkException {

    private static final long serialVersionUID = 1L;

    /** What a fault means for the caller. */
    public enum Kind {
        /** Nothing happened; the same call can safely be made again later. */
        UNAVAILABLE(ErrorCode.UNAVAILABLE),
        /** A commit may or may not have happened: make the same call again until the answer is known (H6). */
        UNKNOWN_OUTCOME(ErrorCode.OUTCOME_UNKNOWN),
        /** What is stored contradicts itself. Nothing happened; somebody has to look. */
        CORRUPT(ErrorCode.CORRUPT),
        /** This database, schema or configuration cannot do what was asked. Nothing happened. */
        UNSUPPORTED(ErrorCode.UNSUPPORTED);

        private final ErrorCode code;

        Kind(ErrorCode code) {
            this.code = code;
        }
    }

    private final Kind kind;

    /**
     * Creates the exception.
     *
     * @param kind what it means for the caller
     * @param message what was being done, with ids and without payloads
     * @param cause the driver's exception, if there is one
     */
    public StorageException(Kind kind, String message, @Nullable Throwable cause) {
        super(Objects.requireNonNull(kind, "kind").code, message, cause);
        this.kind = kind;
    }

    /** What the fault means for the caller. */
    public Kind kind() {
        return kind;
    }
}
