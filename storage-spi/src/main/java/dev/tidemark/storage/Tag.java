package dev.tidemark.storage;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The short hash by which a reader notices that the row at its position is not the one it once read, because history was
 * rewritten by a restore or a failover: CRC-32C over sender, a zero byte, and message id, both in UTF-8. An id has no zero
 * byte, so the pair is unambiguous. The value is part of the stored and wire format and never changes.
 */
public final class Tag {

    private Tag() {}

    /** The tag of the message with this sender and id. */
    public static int of(String sender, String messageId) {
        CRC32C crc = new CRC32C();
        crc.update(sender.getBytes(StandardCharsets.UTF_8));
        crc.update(0);
        crc.update(messageId.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }
}
