package dev.tidemark.error;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A "no" as a value: what was refused, why, and when to try again. An expected outcome is never a stack trace, so the
 * asynchronous services answer with a refusal and only their blocking forms throw a {@link RefusedException}.
 *
 * @param code why
 * @param detail one sentence for the person who reads the log: ids included, payloads never
 * @param field the input that was wrong, set when the code is {@link ErrorCode#INVALID} or {@link ErrorCode#UNSTORABLE}
 * @param retryAfter the suggested wait before the next try; set only for retryable codes. Clients add jitter
 */
public record Refusal(
        ErrorCode code,
        String detail,
        @Nullable String field,
        @Nullable Duration retryAfter) {

    /** Checks the components. */
    public Refusal {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(detail, "detail");
        if (retryAfter != null && !code.retryable()) {
            throw new IllegalArgumentException("retryAfter goes with a retryable code, not with " + code);
        }
    }

    /** An input that is wrong by itself. */
    public static Refusal invalid(String field, String expected) {
        return new Refusal(ErrorCode.INVALID, field + ": expected " + expected, field, null);
    }

    /** A refusal that repeating cannot change. */
    public static Refusal of(ErrorCode code, String detail) {
        return new Refusal(code, detail, null, null);
    }

    /** A refusal that a later try may not meet. */
    public static Refusal retryable(ErrorCode code, String detail, Duration retryAfter) {
        return new Refusal(code, detail, null, retryAfter);
    }

    /** Whether the same call, made again later, can succeed. */
    public boolean retryable() {
        return code.retryable();
    }
}
