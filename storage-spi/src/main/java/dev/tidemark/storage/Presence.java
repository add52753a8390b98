package dev.tidemark.storage;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which devices are connected, and where. One device has one live session: a new one takes the place of the old. */
public interface Presence {

    /**
     * Registers a connection. An older session of the device is gone from here on.
     *
     * @return the session, with an incarnation greater than that of every earlier session of the device
     * @throws dev.tidemark.error.InvalidInputException naming the part of the device or the node that breaks the rules of
     *     {@link Ids}
     * @throws StorageException on a fault
     */
    Session connect(DeviceId device, String node);

    /**
     * Removes a session if it is still the device's live one. The late close of an older connection leaves the newer one
     * alone (H39).
     *
     * @return whether it was removed
     * @throws StorageException on a fault
     */
    boolean disconnect(Session session);

    /**
     * The live session of a device.
     *
     * @return the session, or null when the device is not connected
     * @throws StorageException on a fault
     */
    @Nullable Session session(DeviceId device);

    /**
     * The live sessions of many users, with a constant number of queries.
     *
     * @return an entry for every user asked, in no particular order of sessions; an empty list for one who is not connected
     * @throws StorageException on a fault
     */
    Map<String, List<Session>> sessions(Collection<String> users);
}
