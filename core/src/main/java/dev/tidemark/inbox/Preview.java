package dev.tidemark.inbox;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.StoredMessage;
import java.util.Arrays;

/**
 * Makes what a conversation list shows of a message's content. Called on a thread of the store executor; must be fast. When
 * it throws, or makes more than {@link LatestMessage#MAX_PREVIEW_BYTES}, nothing is shown. Safe for use by many threads.
 */
@FunctionalInterface
public interface Preview {

    /** What to show of a message, possibly nothing. */
    Body of(StoredMessage message);

    /** Shows nothing. */
    static Preview none() {
        return message -> Body.empty();
    }

    /**
     * The beginning of bodies that are text in UTF-8, cut between characters.
     *
     * @param maxBytes the most bytes, up to {@link LatestMessage#MAX_PREVIEW_BYTES}
     */
    static Preview text(int maxBytes) {
        int most = Math.min(maxBytes, LatestMessage.MAX_PREVIEW_BYTES);
        return message -> {
            byte[] bytes = message.body().toBytes();
            if (bytes.length <= most) {
                return message.body();
            }
            int end = most;
            // A byte that goes on with a character must not become the first one left out.
            while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
                end--;
            }
            return Body.of(Arrays.copyOf(bytes, end));
        };
    }
}
