package dev.tidemark.inbox;

import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxRecount;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.VisibleRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Brings entries up to the truth: compares how far each counts with the head that its user may see, and counts anew what
 * does not reach it, goes beyond it, or is a miss. Safe for use by many threads.
 */
final class Recounts {

    /**
     * Entries as they should be.
     *
     * @param entries those of conversations that the user may see something of
     * @param hidden the keys of the others
     * @param mended how many had to be counted anew
     */
    record Mended(Map<MemberKey, InboxEntry> entries, Set<MemberKey> hidden, int mended) {}

    private static final int PAGE = 200;

    private final InboxStore store;
    private final MessageLog log;
    private final ConversationDirectory directory;
    private final Preview preview;
    private final int cap;

    Recounts(InboxStore store, MessageLog log, ConversationDirectory directory, Preview preview, int cap) {
        this.store = store;
        this.log = log;
        this.directory = directory;
        this.preview = preview;
        this.cap = cap;
    }

    /** Mends entries, and makes those that are not there. */
    Mended mend(Collection<MemberKey> keys, Map<MemberKey, InboxEntry> held) {
        Map<MemberKey, Visibility> visibility = keys.isEmpty() ? Map.of() : directory.visibility(Set.copyOf(keys));
        Map<String, Head> heads = keys.isEmpty()
                ? Map.of()
                : log.heads(keys.stream().map(MemberKey::conversation).toList());
        Map<MemberKey, InboxEntry> entries = new HashMap<>();
        Set<MemberKey> hidden = new HashSet<>();
        List<MemberKey> ahead = new ArrayList<>();
        List<InboxRecount> recounts = new ArrayList<>();
        for (MemberKey key : keys) {
            Visibility visible = Objects.requireNonNullElse(visibility.get(key), Visibility.NONE);
            if (!visible.isAny()) {
                hidden.add(key);
                continue;
            }
            InboxEntry entry = held.getOrDefault(key, new InboxEntry(key, null, 0, 0, InboxEntry.MISS));
            long head = visible.headWithin(
                    heads.getOrDefault(key.conversation(), Head.EMPTY).seq());
            long countTo = Math.max(entry.readTo(), head);
            if (entry.isMiss() || entry.countedTo() != countTo) {
                if (!entry.isMiss() && entry.countedTo() > countTo) {
                    ahead.add(key);
                }
                InboxRecount recount = recount(entry, visible, head);
                recounts.add(recount);
                entry = entry(entry, recount);
            }
            entries.put(key, entry);
        }
        // A counter that counts further than there is anything would take itself to know more.
        if (!ahead.isEmpty()) {
            store.doubt(ahead);
        }
        if (!recounts.isEmpty()) {
            store.recount(recounts);
        }
        return new Mended(entries, hidden, recounts.size());
    }

    private InboxRecount recount(InboxEntry entry, Visibility visible, long head) {
        MemberKey key = entry.key();
        int unread = 0;
        for (VisibleRange range : visible.ranges()) {
            long after = Math.max(entry.readTo(), range.first() - 1);
            unread += count(key, after, Math.min(range.last(), head), cap + 1 - unread);
        }
        LatestMessage latest = entry.latest();
        if (head > 0 && (latest == null || latest.seq() < head)) {
            List<StoredMessage> last =
                    log.before(key.conversation(), head + 1, 1).messages();
            latest = last.isEmpty() ? latest : Updates.latest(last.get(0), preview);
        }
        return new InboxRecount(key, entry.readTo(), Math.max(entry.readTo(), head), unread, latest);
    }

    /** Counts up to so many countable messages of others. */
    private int count(MemberKey key, long from, long upTo, int most) {
        int found = 0;
        long after = from;
        while (after < upTo && found < most) {
            List<StoredMessage> page =
                    log.after(key.conversation(), after, PAGE).messages();
            if (page.isEmpty()) {
                // What is not here went to the archive, or is gone: nobody has it to read.
                break;
            }
            for (StoredMessage message : page) {
                if (message.seq() <= upTo
                        && message.countable()
                        && !message.sender().equals(key.user())) {
                    found++;
                }
            }
            after = page.get(page.size() - 1).seq();
        }
        return Math.min(found, most);
    }

    private static InboxEntry entry(InboxEntry held, InboxRecount recount) {
        return new InboxEntry(held.key(), recount.latest(), recount.readTo(), recount.countedTo(), recount.unread());
    }
}
