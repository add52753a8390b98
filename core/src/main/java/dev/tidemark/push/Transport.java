package dev.tidemark.push;

import dev.tidemark.storage.Session;

/**
 * The host's way to a connected device. Called on the push lanes: for one recipient and conversation one call at a time, in
 * the order of commits; for different ones many at once, so it must be safe for use by many threads.
 */
@FunctionalInterface
public interface Transport {

    /**
     * Hands a push to a device's connection. A transport that blocks holds up only the recipients of its own lane, whose pushes
     * are dropped when the lane is full. One that throws, also to say that the connection cannot take more now, has failed this
     * push only; the device is told to sync a second later.
     *
     * @param session the connection, which may have ended since it was looked up
     * @param push a message, or word that there is something to fetch. The same instance of a message is handed out for every
     *     recipient, so an encoded form can be remembered by identity
     */
    void deliver(Session session, Push push);
}
