package dev.tidemark.storage;

import java.util.Comparator;
import java.util.Objects;

/**
 * Names one cursor. Ordered by user, device, conversation.
 *
 * @param user the user's id
 * @param device the device's id
 * @param conversation the conversation's id
 */
public record CursorKey(String user, String device, String conversation) implements Comparable<CursorKey> {

    private static final Comparator<CursorKey> ORDER = Comparator.comparing(CursorKey::user)
            .thenComparing(CursorKey::device)
            .thenComparing(CursorKey::conversation);

    /** Checks for nulls. */
    public CursorKey {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(conversation, "conversation");
    }

    /** The device whose cursor it is. */
    public DeviceId owner() {
        return new DeviceId(user, device);
    }

    @Override
    public int compareTo(CursorKey other) {
        return ORDER.compare(this, other);
    }
}
