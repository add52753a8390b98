package dev.tidemark.push;

import dev.tidemark.storage.StoredMessage;
import org.jspecify.annotations.Nullable;

/** Told of every stored message, after its commit and in the order of commits of its conversation. */
@FunctionalInterface
public interface Pusher {

    /**
     * Pushes a message to whom it concerns, best effort (P4): returns at once, never blocks and never throws.
     *
     * @param message the message, stored durably; a repeat brings it again
     * @param fromDevice the device of the sender that sent it and needs no push, or null when that is not known
     */
    void push(StoredMessage message, @Nullable String fromDevice);

    /** Pushes nothing: devices get their messages by fetching. */
    static Pusher none() {
        return (message, fromDevice) -> {};
    }
}
