package dev.tidemark.inbox;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.StoredMessage;
import java.util.ArrayList;
import java.util.List;

/** Makes the updates of members' lists out of the messages of one conversation. */
final class Updates {

    private Updates() {}

    /** Cuts messages, in the order in which they came, into stretches without a gap. */
    static List<List<StoredMessage>> stretches(List<StoredMessage> messages) {
        List<List<StoredMessage>> stretches = new ArrayList<>();
        List<StoredMessage> current = new ArrayList<>();
        for (StoredMessage message : messages) {
            if (!current.isEmpty()
                    && message.seq() != current.get(current.size() - 1).seq() + 1) {
                stretches.add(current);
                current = new ArrayList<>();
            }
            current.add(message);
        }
        stretches.add(current);
        return stretches;
    }

    /** What a stretch changes for each member; nothing for those who joined after it. */
    static void add(List<StoredMessage> stretch, List<Member> members, Preview preview, List<InboxUpdate> updates) {
        StoredMessage last = stretch.get(stretch.size() - 1);
        LatestMessage latest = latest(last, preview);
        for (Member member : members) {
            if (member.since() <= last.seq()) {
                long first = Math.max(member.since(), stretch.get(0).seq());
                MemberKey key = new MemberKey(last.conversation(), member.user());
                updates.add(new InboxUpdate(key, first, latest, countable(stretch, first, member.user())));
            }
        }
    }

    /** What a list shows of a message. */
    static LatestMessage latest(StoredMessage message, Preview preview) {
        return new LatestMessage(
                message.seq(), message.sender(), message.kind(), shown(message, preview), message.storedAt());
    }

    private static Body shown(StoredMessage message, Preview preview) {
        try {
            Body shown = preview.of(message);
            if (shown.size() <= LatestMessage.MAX_PREVIEW_BYTES) {
                return shown;
            }
        } catch (RuntimeException e) {
            // The host's; what a list shows of one message is not worth losing the count of all.
            return Body.empty();
        }
        return Body.empty();
    }

    private static int countable(List<StoredMessage> stretch, long first, String user) {
        int countable = 0;
        for (StoredMessage message : stretch) {
            if (message.seq() >= first
                    && message.countable()
                    && !message.sender().equals(user)) {
                countable++;
            }
        }
        return countable;
    }
}
