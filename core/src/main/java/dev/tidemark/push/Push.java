package dev.tidemark.push;

import dev.tidemark.storage.StoredMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is pushed to a device. It is live by its type; the messages of a page are a backfill. A push may come twice, late, or
 * never: a device drops the messages that it has by (conversation, sequence).
 */
public sealed interface Push {

    /**
     * A message on its live way.
     *
     * @param message the message
     * @param delivery what sort of delivery it is, which says how often it is tried
     */
    record Message(StoredMessage message, Delivery delivery) implements Push {

        /** Checks for nulls. */
        public Message {
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(delivery, "delivery");
        }
    }

    /**
     * Word that there is something to fetch: a message was dropped on its way (P4), or the group is so large that its
     * messages are not pushed. Several become one.
     *
     * @param conversation where to fetch; null when that became too much to remember, and the device has to ask for all of
     *     them
     * @param upTo the highest sequence there is word of, 0 when {@code conversation} is null. There may be more by now
     */
    record Notice(@Nullable String conversation, long upTo) implements Push {

        /** For a device that has to ask for everything. */
        public static final Notice OF_EVERYTHING = new Notice(null, 0);
    }
}
