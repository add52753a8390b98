package dev.tidemark.cursor;

import dev.tidemark.storage.DeviceId;

/** Told of what devices have rendered, once it was found true: whoever still pushes it to them can stop. */
@FunctionalInterface
public interface Rendered {

    /**
     * A device has rendered everything it may see of a conversation, up to and including a sequence. Must return at once and
     * must not throw.
     */
    void rendered(DeviceId device, String conversation, long upTo);

    /** Tells nobody. */
    static Rendered none() {
        return (device, conversation, upTo) -> {};
    }
}
