package dev.tidemark.push;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages pushed last, as many as a bound of bytes allows, so that another try needs nothing from the store: one whose
 * message is forgotten is made with a notice. Safe for use by many threads.
 */
final class RecentMessages {

    private record Place(String conversation, long seq) {}

    /** What a message takes besides its body, roughly. */
    private static final int OVERHEAD = 256;

    private final long maxBytes;
    private final Map<Place, Push.Message> messages = new LinkedHashMap<>();
    private long bytes;

    RecentMessages(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    synchronized void add(Push.Message push) {
        Push.Message before = messages.put(
                new Place(push.message().conversation(), push.message().seq()), push);
        bytes += size(push) - (before == null ? 0 : size(before));
        Iterator<Push.Message> oldest = messages.values().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            bytes -= size(oldest.next());
            oldest.remove();
        }
    }

    synchronized Push.@Nullable Message get(String conversation, long seq) {
        return messages.get(new Place(conversation, seq));
    }

    private static int size(Push.Message push) {
        return OVERHEAD + push.message().body().size();
    }
}
