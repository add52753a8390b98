package dev.tidemark.push;

import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.Session;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A presence whose sessions, when they end here, end the waiting for their acknowledgements. */
final class TrackedPresence implements Presence {

    private final Presence presence;
    private final AckTracker tracker;

    TrackedPresence(Presence presence, AckTracker tracker) {
        this.presence = presence;
        this.tracker = tracker;
    }

    @Override
    public Session connect(DeviceId device, String node) {
        Session session = presence.connect(device, node);
        tracker.closed(new Session(device, node, session.incarnation() - 1));
        return session;
    }

    @Override
    public boolean disconnect(Session session) {
        // First, as it holds whatever the store says: this connection is over.
        tracker.closed(session);
        return presence.disconnect(session);
    }

    @Override
    public @Nullable Session session(DeviceId device) {
        return presence.session(device);
    }

    @Override
    public Map<String, List<Session>> sessions(Collection<String> users) {
        return presence.sessions(users);
    }
}
