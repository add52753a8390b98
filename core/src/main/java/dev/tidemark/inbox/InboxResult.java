package dev.tidemark.inbox;

import dev.tidemark.error.Refusal;
import dev.tidemark.storage.InboxPage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What came of a request to {@link InboxService}. */
public sealed interface InboxResult {

    /**
     * A page of a list.
     *
     * @param conversations the most recent first
     * @param next where the next page begins; null when this one is the last
     */
    record Listed(List<Conversation> conversations, InboxPage.@Nullable Place next) implements InboxResult {

        /** Keeps an unmodifiable copy. */
        public Listed {
            conversations = List.copyOf(conversations);
        }
    }

    /**
     * Conversations that were asked for by name.
     *
     * @param conversations an entry for each asked one that the user may see something of
     */
    record Found(Map<String, Conversation> conversations) implements InboxResult {

        /** Keeps an unmodifiable copy. */
        public Found {
            conversations = Map.copyOf(conversations);
        }
    }

    /**
     * It was done.
     *
     * @param changed how many entries changed
     */
    record Done(int changed) implements InboxResult {}

    /** It was not done, and nothing happened. */
    record Refused(Refusal refusal) implements InboxResult {

        /** Checks for nulls. */
        public Refused {
            Objects.requireNonNull(refusal, "refusal");
        }
    }
}
