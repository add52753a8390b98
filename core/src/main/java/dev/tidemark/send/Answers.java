package dev.tidemark.send;

import dev.tidemark.concurrent.internal.Replies;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** What a lane says to the callers of its sends, and how it reaches them. */
final class Answers {

    private final RetryHint hint;
    private final IntSupplier underWay;
    private final Replies replies;
    private final LongSupplier nanoTime;
    private final TidemarkListener listener;

    /**
     * Creates the answers.
     *
     * @param hint when to try again
     * @param underWay how many sends are under way in the lane
     * @param replies delivers
     * @param nanoTime the passing of time
     * @param listener told of answers
     */
    Answers(RetryHint hint, IntSupplier underWay, Replies replies, LongSupplier nanoTime, TidemarkListener listener) {
        this.hint = hint;
        this.underWay = underWay;
        this.replies = replies;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    /** What the store's answer means for the sender; never called with a deferral, which is no answer yet. */
    static SendResult of(Draft draft, AppendResult result) {
        if (result instanceof AppendResult.Appended appended) {
            return new SendResult.Stored(
                    draft.conversation(), appended.seq(), draft.messageId(), appended.storedAt(), false);
        }
        if (result instanceof AppendResult.Duplicate first) {
            return new SendResult.Stored(draft.conversation(), first.seq(), draft.messageId(), first.storedAt(), true);
        }
        if (result instanceof AppendResult.Conflict other) {
            return new SendResult.Refused(Refusal.of(
                    ErrorCode.CONFLICT,
                    about(draft) + "the message id belongs to another message, seq " + other.seq()));
        }
        if (result instanceof AppendResult.Rejected rejected) {
            return new SendResult.Refused(new Refusal(
                    ErrorCode.UNSTORABLE,
                    about(draft) + rejected.field() + ": " + rejected.reason(),
                    rejected.field(),
                    null));
        }
        throw new IllegalArgumentException("no answer: " + result);
    }

    /** Says that a send came too fast, and how long to wait. */
    static SendResult.Refused tooFast(Draft draft, Duration wait) {
        return new SendResult.Refused(Refusal.retryable(
                ErrorCode.TOO_FAST, about(draft) + "the sender sends too fast; nothing was done", wait));
    }

    /** A refusal with a code of which the sender need not know more than the code. */
    SendResult.Refused refused(Draft draft, ErrorCode code) {
        String detail = about(draft)
                + switch (code) {
                    case OVERLOADED -> "too much is waiting; nothing was done";
                    case UNAVAILABLE -> "a store cannot be reached; nothing was done";
                    case OUTCOME_UNKNOWN -> "it is not known yet whether it was stored; repeat it with the same id";
                    case CLOSED -> "this instance is not running; nothing was done";
                    case CORRUPT -> "what is stored contradicts itself; nothing was done";
                    case UNSUPPORTED -> "the store cannot do this; nothing was done";
                    default -> throw new IllegalArgumentException("needs more than a code: " + code);
                };
        return refusedAs(code, detail);
    }

    /** A refusal with a code and one more sentence of the reason. */
    SendResult.Refused refused(Draft draft, ErrorCode code, String why) {
        return refusedAs(code, about(draft) + why);
    }

    /** The wait to suggest now. */
    Duration retryAfter() {
        return hint.retryAfter(underWay.getAsInt());
    }

    private SendResult.Refused refusedAs(ErrorCode code, String detail) {
        return new SendResult.Refused(new Refusal(code, detail, null, code.retryable() ? retryAfter() : null));
    }

    /** Tells callers what was decided for them. Each decision is told once; not to be called under a lock. */
    void tell(List<Send> decided) {
        if (listener != TidemarkListener.NONE && !decided.isEmpty()) {
            count(decided);
        }
        replies.deliver(decided);
    }

    private void count(List<Send> decided) {
        long now = nanoTime.getAsLong();
        for (Send send : decided) {
            SendResult decision = send.decision();
            if (decision instanceof SendResult.Refused refused) {
                count(send.conversation(), refused);
            } else if (decision instanceof SendResult.Stored stored) {
                Duration took = Duration.ofNanos(now - send.begin());
                listener.sendStored(stored.conversation(), stored.seq(), stored.duplicate(), took);
            }
        }
    }

    /** Counts a refusal. */
    void count(String conversation, SendResult.Refused refused) {
        if (refused.code() != ErrorCode.CLOSED) {
            listener.sendRefused(conversation, refused.code());
        }
    }

    private static String about(Draft draft) {
        return "conversation " + draft.conversation() + ", sender " + draft.sender() + ", message " + draft.messageId()
                + ": ";
    }
}
