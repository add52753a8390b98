package dev.tidemark.storage;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who belongs where. The host usually has this in tables of its own and implements the three questions over them; every
 * operation of Tidemark is checked against the answers (P9), on the path of every send and every read, so they should be
 * fast: an index look-up, or a cache the host keeps right.
 */
public interface ConversationDirectory {

    /** The most entries one page has, whatever is asked. */
    int MAX_LIMIT = 10_000;

    /**
     * The present members of a conversation, in the byte order of the user's id.
     *
     * @param conversation the conversation; one that does not exist has no members
     * @param after the last user of the page before, null for the first page
     * @param limit the most entries to return, 1 to {@link #MAX_LIMIT}
     * @throws dev.tidemark.error.InvalidInputException naming {@code limit}
     * @throws StorageException on a fault
     */
    KeyPage<Member> members(String conversation, @Nullable String after, int limit);

    /**
     * The conversations of which a user may see something, present and former ones alike, in the byte order of the
     * conversation's id.
     *
     * @param user the user; one who does not exist has no conversations
     * @param after the last conversation of the page before, null for the first page
     * @param limit the most entries to return, 1 to {@link #MAX_LIMIT}
     * @throws dev.tidemark.error.InvalidInputException naming {@code limit}
     * @throws StorageException on a fault
     */
    KeyPage<String> conversations(String user, @Nullable String after, int limit);

    /**
     * What users may see of conversations, with a constant number of queries.
     *
     * @param members any number of pairs; repeats are allowed
     * @return an entry for every pair asked; {@link Visibility#NONE} for one who never was a member
     * @throws StorageException on a fault
     */
    Map<MemberKey, Visibility> visibility(Collection<MemberKey> members);

    /** Called once at start; see {@link MessageLog#verify()}. */
    default void verify() {}
}
