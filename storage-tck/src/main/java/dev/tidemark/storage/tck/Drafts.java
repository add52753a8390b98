package dev.tidemark.storage.tck;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import java.util.List;
import java.util.stream.IntStream;

/** Drafts whose content does not matter. */
final class Drafts {

    private static final String SENDER = "ann";

    private Drafts() {}

    /** A draft from {@code ann} whose body is its id. */
    static Draft draft(String conversation, String messageId) {
        return draft(conversation, messageId, "body of " + messageId);
    }

    /** A draft from {@code ann}. */
    static Draft draft(String conversation, String messageId, String body) {
        return Draft.of(conversation, SENDER, messageId, Body.of(body));
    }

    /** A draft whose body is its sender and id. */
    static Draft from(String sender, String conversation, String messageId) {
        return Draft.of(conversation, sender, messageId, Body.of(sender + "/" + messageId));
    }

    /** Drafts of one conversation with the ids {@code m<from>} to {@code m<to>}. */
    static List<Draft> drafts(String conversation, int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> draft(conversation, "m" + i))
                .toList();
    }

    /** Drafts over the conversations in turn: the first of each, then the second of each, and so on. */
    static List<Draft> inTurn(List<String> conversations, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> draft(conversations.get(i % conversations.size()), "m" + (i / conversations.size() + 1)))
                .toList();
    }
}
