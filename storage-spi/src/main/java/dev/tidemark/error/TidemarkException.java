package dev.tidemark.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The root of every exception Tidemark throws by itself. It carries the stable {@link ErrorCode}. */
public abstract class TidemarkException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /**
     * Creates the exception.
     *
     * @param code why
     * @param message for the person who reads the log
     * @param cause what it was caused by, if anything
     */
    protected TidemarkException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    /** The stable reason. */
    public ErrorCode code() {
        return code;
    }
}
