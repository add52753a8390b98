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

    private final List<Delivered> delivered = new CopyOnWriteArrayList<>();

    @Override
    public void deliver(Session session, Push push) {
        delivered.add(new Delivered(
                session.device().user(),
                session.device().device(),
                push.message().conversation(),
                push.message().seq()));
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
