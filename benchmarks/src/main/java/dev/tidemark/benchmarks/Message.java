package dev.tidemark.benchmarks;

/**
 * What every design is given to store.
 *
 * @param conversation where it goes
 * @param sender whom it is from
 * @param messageId the client's id
 * @param seq the sequence a client would have to know if nobody numbered: for the ceiling alone
 */
public record Message(int conversation, String sender, String messageId, long seq) {

    /** The size of every body, in bytes. */
    static final int BODY_BYTES = 200;

    static final byte[] BODY = new byte[BODY_BYTES];

    String conversationId() {
        return conversationId(conversation);
    }

    static String conversationId(int conversation) {
        return "conversation-" + conversation;
    }
}
