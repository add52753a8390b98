package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;

/**
 * A device of a user. Device ids need to be unique only among the devices of one user.
 *
 * @param user the user's id
 * @param device the device's id
 */
public record DeviceId(String user, String device) {

    /** Checks for nulls, which are refused by name; the rules of ids are checked by who uses them. */
    public DeviceId {
        if (user == null) {
            throw new InvalidInputException("user", "a user's id, was null");
        }
        if (device == null) {
            throw new InvalidInputException("device", "a device's id, was null");
        }
    }

    /** The key of this device's cursor in a conversation. */
    public CursorKey in(String conversation) {
        return new CursorKey(user, device, conversation);
    }
}
