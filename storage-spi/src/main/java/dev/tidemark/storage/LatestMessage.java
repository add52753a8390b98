package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;
import java.time.Instant;
import java.util.Objects;

/**
 * What a conversation list shows of a conversation's newest message.
 *
 * @param seq its place in the conversation, 1 or more
 * @param sender the user it is from
 * @param kind what sort of message it is, in the host's words
 * @param preview what to show of its content, in the host's words; at most {@link #MAX_PREVIEW_BYTES}, possibly empty
 * @param storedAt when it was stored, in whole milliseconds
 */
public record LatestMessage(long seq, String sender, String kind, Body preview, Instant storedAt) {

    /** The longest preview. */
    public static final int MAX_PREVIEW_BYTES = 1024;

    /** Checks for nulls, that the sequence is positive and the preview is short. */
    public LatestMessage {
        Objects.requireNonNull(sender, "sender");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(preview, "preview");
        Objects.requireNonNull(storedAt, "storedAt");
        if (seq < 1) {
            throw new InvalidInputException("seq", "1 or more, was " + seq);
        }
        if (preview.size() > MAX_PREVIEW_BYTES) {
            throw new InvalidInputException(
                    "preview", "at most " + MAX_PREVIEW_BYTES + " bytes, was " + preview.size());
        }
    }
}
