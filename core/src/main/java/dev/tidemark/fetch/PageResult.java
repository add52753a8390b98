package dev.tidemark.fetch;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answer to a request for a page. */
public sealed interface PageResult {

    /**
     * What the user may see after a position. A device applies the messages, stands at {@link #covered()} then, and asks
     * again from there until {@link #upToDate()} (H19).
     *
     * @param conversation the conversation
     * @param after the position the page starts from, as it was asked
     * @param covered everything after {@code after} and up to here is in this page or not for this user's eyes. The
     *     position of the last message of the page, or {@code after} itself when there is none. It is the device's position
     *     once it has rendered the page, never by itself its cursor
     * @param headSeq the highest sequence the user may see now; 0 when there is none
     * @param messages ascending by sequence; may be fewer than asked for, also when more follow
     * @param serverCursor what the server holds of this device's cursor, so that a device that knows better can mend a lost
     *     acknowledgement (H11)
     */
    record Page(
            String conversation,
            Position after,
            Position covered,
            long headSeq,
            List<StoredMessage> messages,
            Cursor serverCursor)
            implements PageResult {

        /** Checks for nulls; keeps an unmodifiable copy of the messages. */
        public Page {
            Objects.requireNonNull(conversation, "conversation");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(covered, "covered");
            Objects.requireNonNull(serverCursor, "serverCursor");
            messages = List.copyOf(messages);
        }

        /** Whether nothing that the user may see follows this page. */
        public boolean upToDate() {
            return covered.seq() >= headSeq;
        }
    }

    /**
     * The next message has left the message store for the archive: ask there (P10). Never an empty page instead.
     *
     * @param conversation the conversation
     * @param after the position that was asked
     * @param floor everything up to and including this sequence is in the archive
     */
    record Archived(String conversation, Position after, long floor) implements PageResult {

        /** Checks for nulls. */
        public Archived {
            Objects.requireNonNull(conversation, "conversation");
            Objects.requireNonNull(after, "after");
        }
    }

    /**
     * History is not what the device knows: the store was restored from a backup, or failed over and lost commits (P10,
     * H16). The device forgets its position and what it holds of the conversation, and starts anew.
     *
     * @param conversation the conversation
     * @param after the position that was asked
     * @param reason how it was noticed
     * @param head the position of the newest message that the user may see now
     */
    record Reset(String conversation, Position after, Reason reason, Position head) implements PageResult {

        /** Checks for nulls. */
        public Reset {
            Objects.requireNonNull(conversation, "conversation");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(head, "head");
        }

        /** How it was noticed that history is another one. */
        public enum Reason {
            /** There is another message at the device's position than the one it knows. */
            REWRITTEN,
            /** The device's position is past the newest message. */
            BEYOND_HEAD
        }
    }

    /**
     * There is no page.
     *
     * @param refusal why, and when to try again
     */
    record Refused(Refusal refusal) implements PageResult {

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
