package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.concurrent.internal.Turn;
import dev.tidemark.listener.PushDrop;
import dev.tidemark.listener.TidemarkListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A bounded queue of messages whose recipients are looked up, one batch at a time. */
final class FanOut implements Turn {

    private static final int BATCH = 256;

    private final Recipients recipients;
    private final TidemarkListener listener;
    private final Mailbox<Announcement> mailbox;

    FanOut(Recipients recipients, int capacity, Executor executor, Scheduler scheduler, TidemarkListener listener) {
        this.recipients = recipients;
        this.listener = listener;
        this.mailbox = new Mailbox<>(capacity, executor, scheduler, this);
    }

    void open() {
        mailbox.open();
    }

    void offer(Announcement announcement) {
        switch (mailbox.offer(announcement)) {
            case TAKEN -> {}
            case FULL -> drop(announcement, PushDrop.FAN_OUT_FULL);
            case CLOSED -> drop(announcement, PushDrop.CLOSED);
        }
    }

    @Override
    public @Nullable Duration take() {
        List<Announcement> batch = mailbox.poll(BATCH);
        recipients.forEach(batch);
        mailbox.leave(batch.size());
        return mailbox.isEmpty() ? null : Duration.ZERO;
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

    private void dropAll(PushDrop reason) {
        List<Announcement> dropped = mailbox.poll(Integer.MAX_VALUE);
        dropped.forEach(announcement -> drop(announcement, reason));
        mailbox.leave(dropped.size());
    }

    private void drop(Announcement announcement, PushDrop reason) {
        listener.pushDropped(announcement.conversation(), announcement.seq(), 0, reason);
    }
}
