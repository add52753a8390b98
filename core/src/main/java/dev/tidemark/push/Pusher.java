package dev.tidemark.push;

/**
 * Told of every stored message, after its commit. In the order of commits of its conversation, apart from messages that were
 * stored in a host's own transaction: those come when the host says that it is over.
 */
@FunctionalInterface
public interface Pusher {

    /**
     * Pushes a message to whom it concerns, best effort (P4): returns at once, never blocks and never throws.
     *
     * @param announcement the message, stored durably
     */
    void push(Announcement announcement);

    /** Pushes nothing: devices get their messages by fetching. */
    static Pusher none() {
        return announcement -> {};
    }
}
