package dev.tidemark.push;

import dev.tidemark.storage.Session;
import org.jspecify.annotations.Nullable;

/**
 * A stored message that waits for its recipients to be looked up.
 *
 * @param push what they get, all of them the same
 * @param fromDevice the device of the sender that needs none
 */
record Announcement(Push push, @Nullable String fromDevice) {

    String conversation() {
        return push.message().conversation();
    }

    long seq() {
        return push.message().seq();
    }

    /** Whether it came from the device of this session. */
    boolean isFrom(Session session) {
        return session.device().device().equals(fromDevice)
                && session.device().user().equals(push.message().sender());
    }
}
