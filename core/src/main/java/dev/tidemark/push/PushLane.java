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

/**
 * A bounded queue to the transport, with one push at a time on it. What the queue or the transport cannot take is dropped,
 * and the device is told to sync once there is room again (P4, H44).
 */
final class PushLane implements Turn {

    /** So many pushes later another lane gets the thread, where threads are few. */
    private static final int PUSHES_PER_TURN = 64;

    /** So many notices go out in a turn, also while pushes wait: a lane that never drains would else tell nobody. */
    private static final int NOTICES_PER_TURN = 16;

    /** What waits: small, since many of them may. The record is there from the second try on. */
    private record Item(
            Session session, Push.Message push, @Nullable Pending pending) {

        String conversation() {
            return push.message().conversation();
        }

        long seq() {
            return push.message().seq();
        }
    }

    private final Transport transport;
    private final AckTracker tracker;
    private final TidemarkListener listener;
    private final Mailbox<Item> mailbox;
    private final Notices notices;
    private final FaultLog faults;

    PushLane(
            Transport transport,
            int capacity,
            AckTracker tracker,
            Executor executor,
            Scheduler scheduler,
            TidemarkListener listener) {
        this.transport = transport;
        this.tracker = tracker;
        this.listener = listener;
        this.mailbox = new Mailbox<>(capacity, executor, scheduler, this);
        this.notices = new Notices(capacity, scheduler, mailbox::wake);
        this.faults = new FaultLog(
                LoggerFactory.getLogger(PushService.class),
                "the transport threw; the device has to fetch",
                scheduler::nanoTime);
    }

    void open() {
        mailbox.open();
    }

    /** Pushes a message for the first time. */
    void offer(Session session, Push.Message push) {
        offer(new Item(session, push, null));
    }

    /** Pushes a message once more. */
    void retry(Pending pending, Push.Message push) {
        offer(new Item(pending.session(), push, pending));
    }

    /** Tells a session to sync. */
    void notice(Session session, String conversation, long upTo) {
        notices.add(session, conversation, upTo);
    }

    @Override
    public @Nullable Duration take() {
        for (int i = 0; i < PUSHES_PER_TURN; i++) {
            Item next = mailbox.poll();
            if (next == null) {
                break;
            }
            deliver(next);
            mailbox.leave(1);
        }
        for (int i = 0; i < NOTICES_PER_TURN; i++) {
            Notices.Due next = notices.poll();
            if (next == null) {
                break;
            }
            tell(next.session(), next.notice());
        }
        return mailbox.isEmpty() && !notices.isDue() ? null : Duration.ZERO;
    }

    @Override
    public @Nullable Duration refused(Throwable refusal) {
        for (Item dropped : takeAll(PushDrop.EXECUTOR_REFUSED)) {
            notices.addLater(dropped.session(), dropped.conversation(), dropped.seq());
        }
        return null;
    }

    CompletionStage<Void> close() {
        return mailbox.close();
    }

    void abandon() {
        notices.close();
        takeAll(PushDrop.CLOSED);
    }

    private void offer(Item item) {
        switch (mailbox.offer(item)) {
            case TAKEN -> {}
            case FULL -> {
                drop(item, PushDrop.LANE_FULL);
                notices.add(item.session(), item.conversation(), item.seq());
            }
            case CLOSED -> drop(item, PushDrop.CLOSED);
        }
    }

    private void deliver(Item item) {
        Pending pending = item.pending();
        if (pending == null) {
            pending = tracker.expect(item.session(), item.push());
        } else if (pending.isOver()) {
            return;
        }
        handOver(item);
        if (pending != null) {
            tracker.tried(pending);
        }
    }

    private void handOver(Item item) {
        Session session = item.session();
        StoredMessage message = item.push().message();
        try {
            transport.deliver(session, item.push());
        } catch (Throwable e) {
            faults.report(() -> about(session) + ", " + place(message), e);
            listener.pushFailed(session, message.conversation(), message.seq(), e);
            notices.addLater(session, message.conversation(), message.seq());
            return;
        }
        listener.pushDelivered(session, message.conversation(), message.seq());
    }

    private void tell(Session session, Push.Notice notice) {
        try {
            transport.deliver(session, notice);
        } catch (Throwable e) {
            // Not once more: by now the session is taken for dead, and the device syncs when it is back.
            faults.report(() -> about(session) + ", " + notice, e);
            listener.noticeFailed(session, notice.conversation(), notice.upTo(), e);
            return;
        }
        listener.noticed(session, notice.conversation(), notice.upTo());
    }

    private List<Item> takeAll(PushDrop reason) {
        List<Item> dropped = mailbox.poll(Integer.MAX_VALUE);
        dropped.forEach(item -> drop(item, reason));
        mailbox.leave(dropped.size());
        return dropped;
    }

    private void drop(Item item, PushDrop reason) {
        listener.pushDropped(item.conversation(), item.seq(), 1, reason);
        if (item.pending() != null) {
            tracker.drop(item.pending());
        }
    }

    private static String about(Session session) {
        return "user " + session.device().user() + ", device "
                + session.device().device();
    }

    private static String place(StoredMessage message) {
        return "conversation " + message.conversation() + ", seq " + message.seq();
    }
}
