package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.Session;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The reference of {@link Presence}, and all that a single node needs. */
public final class InMemoryPresence implements Presence {

    private final AtomicLong incarnations = new AtomicLong();

    /** By user, then by device. Maps of a user are replaced as a whole, so a reader sees one moment of them. */
    private final Map<String, Map<String, Session>> users = new ConcurrentHashMap<>();

    /** Nobody is connected yet. */
    public InMemoryPresence() {}

    @Override
    public Session connect(DeviceId device, String node) {
        if (device == null) {
            throw new InvalidInputException("device", "a device, was null");
        }
        InMemoryKeys.check("user", device.user());
        InMemoryKeys.check("device", device.device());
        InMemoryKeys.check("node", node);
        Map<String, Session> sessions = users.compute(device.user(), (user, old) -> {
            Map<String, Session> replaced = old == null ? new HashMap<>() : new HashMap<>(old);
            // The number is drawn inside the atomic step: of two logins the later one to register has the greater.
            replaced.put(device.device(), new Session(device, node, incarnations.incrementAndGet()));
            return replaced;
        });
        return Objects.requireNonNull(sessions.get(device.device()));
    }

    @Override
    public boolean disconnect(Session session) {
        DeviceId device = session.device();
        boolean[] removed = new boolean[1];
        users.computeIfPresent(device.user(), (user, old) -> {
            removed[0] = session.equals(old.get(device.device()));
            if (!removed[0]) {
                return old;
            }
            Map<String, Session> replaced = new HashMap<>(old);
            replaced.remove(device.device());
            return replaced.isEmpty() ? null : replaced;
        });
        return removed[0];
    }

    @Override
    public @Nullable Session session(DeviceId device) {
        return users.getOrDefault(device.user(), Map.of()).get(device.device());
    }

    @Override
    public Map<String, List<Session>> sessions(Collection<String> asked) {
        Map<String, List<Session>> sessions = new HashMap<>();
        for (String user : asked) {
            sessions.put(user, List.copyOf(users.getOrDefault(user, Map.of()).values()));
        }
        return Map.copyOf(sessions);
    }
}
