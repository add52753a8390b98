package dev.tidemark.send;

import dev.tidemark.error.InvalidInputException;

/**
 * How much goes into one transaction of a send lane. There is no lingering: a lane takes what is queued as soon as the
 * outcome of its last commit is known, so batches grow by themselves when the store is busy and a lone message never waits.
 * Immutable.
 *
 * @param maxRows the most messages of a batch, 1 or more
 * @param maxPerConversation the most messages of one conversation in a batch, 1 or more. What exceeds it is first in line
 *     for the next batches, in order, and holds up no other conversation
 * @param maxBytes the most bytes of bodies in a batch, 1 or more; a batch has at least one message, however large
 */
public record BatchPolicy(int maxRows, int maxPerConversation, int maxBytes) {

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public BatchPolicy {
        check("maxRows", maxRows);
        check("maxPerConversation", maxPerConversation);
        check("maxBytes", maxBytes);
    }

    /** 512 messages, all of them of one conversation if need be, and 4 MiB. */
    public static BatchPolicy defaults() {
        return new BatchPolicy(512, 512, 4 * 1024 * 1024);
    }

    /** This policy with another limit of messages. */
    public BatchPolicy withMaxRows(int value) {
        return new BatchPolicy(value, maxPerConversation, maxBytes);
    }

    /** This policy with another limit of messages of one conversation. */
    public BatchPolicy withMaxPerConversation(int value) {
        return new BatchPolicy(maxRows, value, maxBytes);
    }

    /** This policy with another limit of bytes. */
    public BatchPolicy withMaxBytes(int value) {
        return new BatchPolicy(maxRows, maxPerConversation, value);
    }

    private static void check(String field, int value) {
        if (value < 1) {
            throw new InvalidInputException(field, "1 or more, was " + value);
        }
    }
}
