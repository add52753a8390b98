package dev.tidemark.storage;

import java.util.Objects;

/**
 * A user in a conversation, member or not.
 *
 * @param conversation the conversation's id
 * @param user the user's id
 */
public record MemberKey(String conversation, String user) {

    /** Checks for nulls. */
    public MemberKey {
        Objects.requireNonNull(conversation, "conversation");
        Objects.requireNonNull(user, "user");
    }
}
