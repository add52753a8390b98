package dev.tidemark.cursor;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.storage.Cursor;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What became of an acknowledgement. */
public sealed interface AckResult {

    /**
     * Taken. One that was behind the cursor already is taken in silence: nothing moved.
     *
     * @param held the cursor as it is held now, which may be further than what was acknowledged
     */
    record Acknowledged(Cursor held) implements AckResult {

        /** Checks for nulls. */
        public Acknowledged {
            Objects.requireNonNull(held, "held");
        }
    }

    /**
     * Not taken; the cursor is where it was, except possibly with {@link ErrorCode#OUTCOME_UNKNOWN}. Repeating an
     * acknowledgement is always safe.
     *
     * @param refusal why, and when to try again
     */
    record Refused(Refusal refusal) implements AckResult {

        /** Checks for nulls. */
        public Refused {
            Objects.requireNonNull(refusal, "refusal");
        }

        /** Why. */
        public ErrorCode code() {
            return refusal.code();
        }

        /** The suggested wait before the next try, to which clients add jitter; null when repeating cannot help. */
        public @Nullable Duration retryAfter() {
            return refusal.retryAfter();
        }
    }
}
