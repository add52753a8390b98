package dev.tidemark.storage;

/** A directory that Tidemark supplies for hosts that have none: it can also be written to. */
public interface MutableConversationDirectory extends ConversationDirectory {

    /**
     * Makes a user a member. Of one who is a member already nothing changes.
     *
     * @param conversation the conversation
     * @param user the user
     * @param first the first sequence the user may see: 1 for all history, the head plus one for none of it
     * @throws dev.tidemark.error.InvalidInputException naming {@code conversation} or {@code user} when it breaks the
     *     rules of {@link Ids}, or {@code first} when it is below 1 or not after the end of an earlier membership
     * @throws StorageException on a fault
     */
    void join(String conversation, String user, long first);

    /**
     * Ends a membership; what was visible up to {@code last} stays so. Of one who is no member nothing changes.
     *
     * @param conversation the conversation
     * @param user the user
     * @param last the last sequence the user may see: the head, usually. When it is below the membership's first
     *     sequence, nothing of this membership stays visible
     * @throws dev.tidemark.error.InvalidInputException naming {@code last} when it is negative
     * @throws StorageException on a fault
     */
    void leave(String conversation, String user, long last);
}
