package dev.tidemark.storage;

import java.util.Objects;

/**
 * A present member of a conversation.
 *
 * @param user the user's id
 * @param since the first sequence of the membership that lasts: nothing below it is pushed to this member
 */
public record Member(String user, long since) {

    /** Checks for nulls. */
    public Member {
        Objects.requireNonNull(user, "user");
    }
}
