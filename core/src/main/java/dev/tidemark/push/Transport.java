package dev.tidemark.push;

import dev.tidemark.storage.Session;

/**
 * The host's way to a connected device. Called on the push lanes: for one recipient and conversation one call at a time, in
 * the order of commits; for different ones many at once, so it must be safe for use by many threads.
 */
@FunctionalInterface
public interface Transport {

    /**
     * Hands a message to a device's connection. A transport that blocks holds up only the recipients of its own lane, whose
     * pushes are dropped when the lane is full; one that throws has failed this push only. Either way the device gets the
     * message by its next fetch.
     *
     * @param session the connection, which may have ended since it was looked up
     * @param push what to deliver. The same instance is handed out for every recipient of a message, so an encoded form can
     *     be remembered by identity
     */
    void deliver(Session session, Push push);
}
