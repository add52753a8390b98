package dev.tidemark.storage;

import java.util.Objects;

/**
 * A live connection of a device.
 *
 * @param device whose connection
 * @param node the node it is connected to
 * @param incarnation which of the device's connections it is: greater than that of every earlier one, given by the
 *     presence store and never by a clock (H39)
 */
public record Session(DeviceId device, String node, long incarnation) {

    /** Checks for nulls. */
    public Session {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(node, "node");
    }
}
