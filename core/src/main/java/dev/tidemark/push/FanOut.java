package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.concurrent.internal.Turn;
import dev.tidemark.listener.PushDrop;
import dev.tidemark.listener.TidemarkListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue of messages whose recipients are looked up, one batch at a time. What it cannot take, and the messages of
 * large groups, become notices: one a conversation in each interval, however many messages that stands for.
 */
final class FanOut implements Turn {

    private static final Logger LOG = LoggerFactory.getLogger(FanOut.class);

    private static final int BATCH = 256;

    private final Recipients recipients;
    private final int capacity;
    private final Duration interval;
    private final Scheduler scheduler;
    private final TidemarkListener listener;
    private final Mailbox<Announcement> mailbox;

    /** The conversations whose members are to be told to sync. */
    private final Marks<String> behind = new Marks<>();

    /** The large groups that were told in this interval. Seen by turns only. */
    private final Set<String> told = new HashSet<>();

    /** Whether the end of an interval is awaited. */
    private final AtomicBoolean timed = new AtomicBoolean();

    private volatile boolean intervalEnded;

    FanOut(
            Recipients recipients,
            PushPolicy policy,
            Executor executor,
            Scheduler scheduler,
            TidemarkListener listener) {
        this.recipients = recipients;
        this.capacity = policy.fanOutCapacity();
        this.interval = policy.noticeInterval();
        this.scheduler = scheduler;
        this.listener = listener;
        this.mailbox = new Mailbox<>(capacity, executor, scheduler, this);
    }

    void open() {
        mailbox.open();
    }

    void offer(Announcement announcement) {
        switch (mailbox.offer(announcement)) {
            case TAKEN -> {}
            case FULL -> {
                drop(announcement, PushDrop.FAN_OUT_FULL);
                if (isMarkable(announcement.conversation())) {
                    behind.add(announcement.conversation(), announcement.seq());
                }
            }
            case CLOSED -> drop(announcement, PushDrop.CLOSED);
        }
    }

    @Override
    public @Nullable Duration take() {
        if (intervalEnded) {
            intervalEnded = false;
            told.clear();
            behind.release();
        }
        List<Announcement> batch = mailbox.poll(BATCH);
        pushAll(batch);
        mailbox.leave(batch.size());
        tellThoseBehind();
        return mailbox.isEmpty() && !behind.hasReady() ? null : Duration.ZERO;
    }

    @Override
    public @Nullable Duration refused(Throwable refusal) {
        for (Announcement dropped : takeAll(PushDrop.EXECUTOR_REFUSED)) {
            holdBack(dropped.conversation(), dropped.seq());
        }
        return null;
    }

    CompletionStage<Void> close() {
        return mailbox.close();
    }

    void abandon() {
        takeAll(PushDrop.CLOSED);
        behind.clear();
    }

    private void pushAll(List<Announcement> batch) {
        List<Announcement> untold = new ArrayList<>(batch.size());
        for (Announcement announcement : batch) {
            if (announcement.noticeOnly() || told.contains(announcement.conversation())) {
                holdBack(announcement.conversation(), announcement.seq());
            } else {
                untold.add(announcement);
            }
        }
        settle(recipients.push(untold));
    }

    private void tellThoseBehind() {
        for (int i = 0; i < BATCH; i++) {
            Marks.Mark<String> mark = behind.poll();
            if (mark == null) {
                break;
            }
            settle(recipients.notify(mark.key(), mark.upTo()));
        }
    }

    private void settle(Recipients.Result result) {
        if (!result.large().isEmpty()) {
            told.addAll(result.large());
            awaitInterval();
        }
        result.failed().forEach(this::holdBack);
    }

    /** Tells the members of a conversation to sync once the interval has ended. */
    private void holdBack(String conversation, long upTo) {
        if (isMarkable(conversation)) {
            behind.hold(conversation, upTo);
            awaitInterval();
        }
    }

    private boolean isMarkable(String conversation) {
        return behind.size() < capacity || behind.contains(conversation);
    }

    private void awaitInterval() {
        if (timed.compareAndSet(false, true)) {
            try {
                scheduler.schedule(interval, () -> {
                    timed.set(false);
                    intervalEnded = true;
                    mailbox.wake();
                });
            } catch (RejectedExecutionException e) {
                LOG.debug("nobody is told to sync any more, since the scheduler was shut down", e);
            }
        }
    }

    private List<Announcement> takeAll(PushDrop reason) {
        List<Announcement> dropped = mailbox.poll(Integer.MAX_VALUE);
        dropped.forEach(announcement -> drop(announcement, reason));
        mailbox.leave(dropped.size());
        return dropped;
    }

    private void drop(Announcement announcement, PushDrop reason) {
        listener.pushDropped(announcement.conversation(), announcement.seq(), 0, reason);
    }
}
