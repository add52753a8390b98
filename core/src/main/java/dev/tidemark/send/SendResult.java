package dev.tidemark.send;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What became of a send. */
public sealed interface SendResult {

    /**
     * The message is stored durably (P1), by this send or by an earlier one.
     *
     * @param conversation the conversation
     * @param seq the message's place in it: 1, 2, 3, … in the order of commits
     * @param messageId the client's id for it
     * @param storedAt when it was stored, in whole milliseconds; for people to look at, not for ordering
     * @param duplicate whether an earlier send stored it; this one is then told the earlier one's place and time (P3)
     */
    record Stored(String conversation, long seq, String messageId, Instant storedAt, boolean duplicate)
            implements SendResult {}

    /**
     * The send did not succeed. Nothing was stored, except possibly with {@link ErrorCode#OUTCOME_UNKNOWN}: then a repeat
     * under the same message id gets the truth.
     *
     * @param refusal why, and when to try again
     */
    record Refused(Refusal refusal) implements SendResult {

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
