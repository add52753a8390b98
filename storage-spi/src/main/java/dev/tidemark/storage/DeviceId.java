package dev.tidemark.storage;

import java.util.Objects;

/**
 * A device of a user. Device ids need to be unique only among the devices of one user.
 *
 * @param user the user's id
 * @param device the device's id
 */
public record DeviceId(String user, String device) {

    /** Checks for nulls. */
    public DeviceId {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(device, "device");
    }

    /** The key of this device's cursor in a conversation. */
    public CursorKey in(String conversation) {
        return new CursorKey(user, device, conversation);
    }
}
