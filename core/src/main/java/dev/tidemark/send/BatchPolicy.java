package dev.tidemark.send;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;

/**
 * How much goes into one transaction of a send lane. A lane takes what is queued as soon as the outcome of its last commit is
 * known, so batches grow by themselves when the store is busy, and a lone message does not wait.
 *
 * <p>Lingering, which is off by default, makes a message wait for company: it trades latency for fewer transactions at low
 * load, for a database that others need more. It ends by itself while messages come faster than the lane stores them, since
 * then it would only add to the queue, and begins again once nothing waits; {@link SendPipeline#pinLinger} sets it by hand.
 * Immutable.
 *
 * @param maxRows the most messages of a batch, 1 or more
 * @param maxPerConversation the most messages of one conversation in a batch, 1 or more. What exceeds it is first in line
 *     for the next batches, in order, and holds up no other conversation
 * @param maxBytes the most bytes of bodies in a batch, 1 or more; a batch has at least one message, however large
 * @param linger how long the first message of a batch waits for others, from zero to {@link #MAX_LINGER}; a message whose
 *     deadline comes before that is refused as overloaded, so it has to be much less than the timeouts
 * @param lingerRows how many messages are enough not to wait any longer, 1 or more
 */
public record BatchPolicy(int maxRows, int maxPerConversation, int maxBytes, Duration linger, int lingerRows) {

    /** The longest linger. */
    public static final Duration MAX_LINGER = Duration.ofSeconds(1);

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public BatchPolicy {
        check("maxRows", maxRows);
        check("maxPerConversation", maxPerConversation);
        check("maxBytes", maxBytes);
        if (linger.isNegative() || linger.compareTo(MAX_LINGER) > 0) {
            throw new InvalidInputException("linger", "from zero to " + MAX_LINGER + ", was " + linger);
        }
        check("lingerRows", lingerRows);
    }

    /** 512 messages, all of them of one conversation if need be, and 4 MiB; no linger, and 8 messages if one is set. */
    public static BatchPolicy defaults() {
        return new BatchPolicy(512, 512, 4 * 1024 * 1024, Duration.ZERO, 8);
    }

    /** This policy with another limit of messages. */
    public BatchPolicy withMaxRows(int value) {
        return new BatchPolicy(value, maxPerConversation, maxBytes, linger, lingerRows);
    }

    /** This policy with another limit of messages of one conversation. */
    public BatchPolicy withMaxPerConversation(int value) {
        return new BatchPolicy(maxRows, value, maxBytes, linger, lingerRows);
    }

    /** This policy with another limit of bytes. */
    public BatchPolicy withMaxBytes(int value) {
        return new BatchPolicy(maxRows, maxPerConversation, value, linger, lingerRows);
    }

    /** This policy with another linger. */
    public BatchPolicy withLinger(Duration value) {
        return new BatchPolicy(maxRows, maxPerConversation, maxBytes, value, lingerRows);
    }

    /** This policy with another number of messages that ends a linger. */
    public BatchPolicy withLingerRows(int value) {
        return new BatchPolicy(maxRows, maxPerConversation, maxBytes, linger, value);
    }

    private static void check(String field, int value) {
        if (value < 1) {
            throw new InvalidInputException(field, "1 or more, was " + value);
        }
    }
}
