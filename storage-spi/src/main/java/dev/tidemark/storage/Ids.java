package dev.tidemark.storage;

import dev.tidemark.error.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The rules every id follows, whatever names it: a conversation, a user, a device, a message.
 *
 * <p>An id is text of 1 to {@value #MAX_BYTES} bytes in UTF-8, without U+0000 (PostgreSQL cannot store it) and without an
 * unpaired surrogate (UTF-8 cannot express it). Separators, spaces, case and characters outside the basic plane are all
 * significant and stored as they are. The length lets three ids share one index entry on every supported database.
 */
public final class Ids {

    /** The longest id, in bytes of UTF-8. */
    public static final int MAX_BYTES = 255;

    /** The longest message kind, in bytes of UTF-8. */
    public static final int MAX_KIND_BYTES = 32;

    private Ids() {}

    /**
     * Says what is wrong with an id.
     *
     * @return what was expected instead, or null when the id is right
     */
    public static @Nullable String problemOf(@Nullable String id) {
        return problemOf(id, MAX_BYTES);
    }

    /**
     * Says what is wrong with a message kind, which follows the rules of an id with at most {@value #MAX_KIND_BYTES} bytes.
     *
     * @return what was expected instead, or null when the kind is right
     */
    public static @Nullable String problemOfKind(@Nullable String kind) {
        return problemOf(kind, MAX_KIND_BYTES);
    }

    /**
     * Judges what nearly every call of a device begins with.
     *
     * @return a refusal that names {@code device}, {@code user} or {@code conversation}, the first that is wrong; null when
     *     all are right
     */
    public static @Nullable Refusal judge(@Nullable DeviceId device, @Nullable String conversation) {
        if (device == null) {
            return Refusal.invalid("device", "a device, was null");
        }
        String problem = problemOf(device.user());
        if (problem != null) {
            return Refusal.invalid("user", problem);
        }
        problem = problemOf(device.device());
        if (problem != null) {
            return Refusal.invalid("device", problem);
        }
        problem = problemOf(conversation);
        return problem == null ? null : Refusal.invalid("conversation", problem);
    }

    private static @Nullable String problemOf(@Nullable String text, int maxBytes) {
        if (text == null || text.isEmpty()) {
            return "1 to " + maxBytes + " bytes of UTF-8, was " + (text == null ? "null" : "empty");
        }
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return "no U+0000, found at index " + i;
            } else if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return "no unpaired surrogate, found at index " + i;
            }
        }
        return bytes <= maxBytes ? null : "1 to " + maxBytes + " bytes of UTF-8, was " + bytes;
    }
}
