package dev.tidemark.testing;

import dev.tidemark.push.Push;
import dev.tidemark.push.Transport;
import dev.tidemark.storage.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it was to deliver. */
public final class RecordingTransport implements Transport {

    /** One delivery. */
    public record Delivered(String user, String device, String conversation, long seq) {}

    /** Word that there is something to fetch. */
    public record Noticed(String user, String device, String conversation, long upTo) {}

    private final List<Delivered> delivered = new CopyOnWriteArrayList<>();
    private final List<Noticed> noticed = new CopyOnWriteArrayList<>();

    @Override
    public void deliver(Session session, Push push) {
        String user = session.device().user();
        String device = session.device().device();
        if (push instanceof Push.Message message) {
            delivered.add(new Delivered(
                    user,
                    device,
                    message.message().conversation(),
                    message.message().seq()));
        } else if (push instanceof Push.Notice notice) {
            noticed.add(new Noticed(user, device, notice.conversation(), notice.upTo()));
        }
    }

    public List<Noticed> noticed() {
        return noticed;
    }

    public List<Delivered> delivered() {
        return delivered;
    }

    /** The sequences a device got of a conversation, as they came. */
    public List<Long> seqs(String user, String device, String conversation) {
        return delivered.stream()
                .filter(one -> one.user().equals(user)
                        && one.device().equals(device)
                        && one.conversation().equals(conversation))
                .map(Delivered::seq)
                .toList();
    }
}
