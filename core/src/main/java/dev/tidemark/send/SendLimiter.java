package dev.tidemark.send;

import java.time.Duration;

/**
 * Limits how fast a sender may send. It is asked on the caller's thread, before anything of value is spent, so it must be fast
 * and never block; the module {@code ratelimit} has one made of token buckets. One that throws lets the send pass, and that
 * is logged. Safe for use by many threads.
 */
public interface SendLimiter {

    /**
     * Charges for one message.
     *
     * @param sender the user it is from
     * @param kind what sort of message it is
     * @return zero when it was charged; otherwise nothing was, and the answer is how long to wait until it can be
     */
    Duration charge(String sender, String kind);

    /** Takes back what one message was charged: it turned out to be a repeat (P3), or was refused before it had a place. */
    void refund(String sender, String kind);

    /** Limits nobody. */
    static SendLimiter none() {
        return Unlimited.INSTANCE;
    }
}
