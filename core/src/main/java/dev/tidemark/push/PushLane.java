package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.concurrent.internal.Turn;
import dev.tidemark.listener.PushDrop;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.Session;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** A bounded queue to the transport, with one push at a time on it. */
final class PushLane implements Turn {

    /** So many pushes later another lane gets the thread, where threads are few. */
    private static final int PUSHES_PER_TURN = 64;

    /** What waits: small, since a million of them may. */
    private record Delivery(Session session, Push push) {}

    private final Transport transport;
    private final TidemarkListener listener;
    private final Mailbox<Delivery> mailbox;
    private final FaultLog faults;

    PushLane(Transport transport, int capacity, Executor executor, Scheduler scheduler, TidemarkListener listener) {
        this.transport = transport;
        this.listener = listener;
        this.mailbox = new Mailbox<>(capacity, executor, scheduler, this);
        this.faults = new FaultLog(
                LoggerFactory.getLogger(PushService.class),
                "the transport threw; the device has to fetch",
                scheduler::nanoTime);
    }

    void open() {
        mailbox.open();
    }

    void offer(Session session, Push push) {
        switch (mailbox.offer(new Delivery(session, push))) {
            case TAKEN -> {}
            case FULL -> drop(push, PushDrop.LANE_FULL);
            case CLOSED -> drop(push, PushDrop.CLOSED);
        }
    }

    @Override
    public @Nullable Duration take() {
        for (int i = 0; i < PUSHES_PER_TURN; i++) {
            Delivery next = mailbox.poll();
            if (next == null) {
                return null;
            }
            deliver(next.session(), next.push());
            mailbox.leave(1);
        }
        return Duration.ZERO;
    }

    @Override
    public @Nullable Duration refused(Throwable refusal) {
        dropAll(PushDrop.EXECUTOR_REFUSED);
        return null;
    }

    CompletionStage<Void> close() {
        return mailbox.close();
    }

    void abandon() {
        dropAll(PushDrop.CLOSED);
    }

    private void deliver(Session session, Push push) {
        StoredMessage message = push.message();
        try {
            transport.deliver(session, push);
        } catch (Throwable e) {
            faults.report(
                    () -> "user " + session.device().user() + ", device "
                            + session.device().device() + ", conversation " + message.conversation() + ", seq "
                            + message.seq(),
                    e);
            listener.pushFailed(session, message.conversation(), message.seq(), e);
            return;
        }
        listener.pushDelivered(session, message.conversation(), message.seq());
    }

    private void dropAll(PushDrop reason) {
        List<Delivery> dropped = mailbox.poll(Integer.MAX_VALUE);
        dropped.forEach(delivery -> drop(delivery.push(), reason));
        mailbox.leave(dropped.size());
    }

    private void drop(Push push, PushDrop reason) {
        listener.pushDropped(push.message().conversation(), push.message().seq(), 1, reason);
    }
}
