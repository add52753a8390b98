package dev.tidemark.listener;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.Session;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Passes everything on and keeps what is thrown from the lanes (H28). */
final class ContainedListener implements TidemarkListener {

    private final TidemarkListener listener;
    private final FaultLog faults;

    ContainedListener(TidemarkListener listener, LongSupplier nanoTime) {
        this.listener = listener;
        this.faults = new FaultLog(
                LoggerFactory.getLogger(TidemarkListener.class),
                "the listener threw; the work goes on without it",
                nanoTime);
    }

    @Override
    public void sendQueued(int lane, int underWay) {
        contain(() -> listener.sendQueued(lane, underWay));
    }

    @Override
    public void batchTaken(int lane, int rows, Duration waited) {
        contain(() -> listener.batchTaken(lane, rows, waited));
    }

    @Override
    public void batchAuthorized(int rows, int refused, Duration took) {
        contain(() -> listener.batchAuthorized(rows, refused, took));
    }

    @Override
    public void committed(int lane, int rows, Duration took) {
        contain(() -> listener.committed(lane, rows, took));
    }

    @Override
    public void sendStored(String conversation, long seq, boolean duplicate, Duration took) {
        contain(() -> listener.sendStored(conversation, seq, duplicate, took));
    }

    @Override
    public void sendRefused(String conversation, ErrorCode code) {
        contain(() -> listener.sendRefused(conversation, code));
    }

    @Override
    public void workLeftOut(int partition, String work, boolean leftOut) {
        contain(() -> listener.workLeftOut(partition, work, leftOut));
    }

    @Override
    public void lingerSuspended(int lane, boolean suspended) {
        contain(() -> listener.lingerSuspended(lane, suspended));
    }

    @Override
    public void conversationDeferred(String conversation, int deferrals) {
        contain(() -> listener.conversationDeferred(conversation, deferrals));
    }

    @Override
    public void outcomeUnknown(int lane, int rows, int attempts) {
        contain(() -> listener.outcomeUnknown(lane, rows, attempts));
    }

    @Override
    public void joinedSettled(int messages, int stored) {
        contain(() -> listener.joinedSettled(messages, stored));
    }

    @Override
    public void indexed(int messages, int entries, Duration took) {
        contain(() -> listener.indexed(messages, entries, took));
    }

    @Override
    public void notIndexed(String conversation, int messages, IndexDrop reason) {
        contain(() -> listener.notIndexed(conversation, messages, reason));
    }

    @Override
    public void pushDelivered(Session session, String conversation, long seq) {
        contain(() -> listener.pushDelivered(session, conversation, seq));
    }

    @Override
    public void pushFailed(Session session, String conversation, long seq, Throwable error) {
        contain(() -> listener.pushFailed(session, conversation, seq, error));
    }

    @Override
    public void pushDropped(String conversation, long seq, int devices, PushDrop reason) {
        contain(() -> listener.pushDropped(conversation, seq, devices, reason));
    }

    @Override
    public void pushRetried(Session session, String conversation, long seq, int tries) {
        contain(() -> listener.pushRetried(session, conversation, seq, tries));
    }

    @Override
    public void pushAcknowledged(Session session, String conversation, long seq, int tries) {
        contain(() -> listener.pushAcknowledged(session, conversation, seq, tries));
    }

    @Override
    public void pushGivenUp(Session session, String conversation, long seq, int tries) {
        contain(() -> listener.pushGivenUp(session, conversation, seq, tries));
    }

    @Override
    public void noticed(Session session, @Nullable String conversation, long upTo) {
        contain(() -> listener.noticed(session, conversation, upTo));
    }

    @Override
    public void noticeFailed(Session session, @Nullable String conversation, long upTo, Throwable error) {
        contain(() -> listener.noticeFailed(session, conversation, upTo, error));
    }

    @Override
    public void handedOver(String user, String conversation, long seq) {
        contain(() -> listener.handedOver(user, conversation, seq));
    }

    @Override
    public void pageServed(String conversation, int messages, Duration took) {
        contain(() -> listener.pageServed(conversation, messages, took));
    }

    @Override
    public void acknowledged(int acknowledgements, int moved, Duration took) {
        contain(() -> listener.acknowledged(acknowledgements, moved, took));
    }

    private void contain(Runnable event) {
        try {
            event.run();
        } catch (Throwable e) {
            faults.report(() -> listener.getClass().getName(), e);
        }
    }
}
