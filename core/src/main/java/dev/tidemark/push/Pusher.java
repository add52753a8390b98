package dev.tidemark.push;

/** Told of every stored message, after its commit and in the order of commits of its conversation. */
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
