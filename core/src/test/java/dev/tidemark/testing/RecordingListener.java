package dev.tidemark.testing;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.IndexDrop;
import dev.tidemark.listener.PushDrop;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it is told, one line for each event. */
public final class RecordingListener implements TidemarkListener {

    private final List<String> all = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();

    /** Every event. */
    public List<String> all() {
        return all;
    }

    /** Every event but the steps that each send takes when nothing is wrong. */
    public List<String> events() {
        return events;
    }

    /** How many events begin like this. */
    public long count(String beginning) {
        return events.stream().filter(event -> event.startsWith(beginning)).count();
    }

    @Override
    public void sendQueued(int lane, int underWay) {
        all.add("queued " + underWay);
    }

    @Override
    public void batchTaken(int lane, int rows, Duration waited) {
        all.add("batch " + rows + " " + waited.toMillis());
    }

    @Override
    public void batchAuthorized(int rows, int refused, Duration took) {
        all.add("authorized " + rows + " " + refused);
    }

    @Override
    public void sendStored(String conversation, long seq, boolean duplicate, Duration took) {
        all.add((duplicate ? "repeated " : "stored ") + conversation + " " + seq + " " + took.toMillis());
    }

    @Override
    public void committed(int lane, int rows, Duration took) {
        event("committed " + rows);
    }

    @Override
    public void sendRefused(String conversation, ErrorCode code) {
        event("refused " + code + " " + conversation);
    }

    @Override
    public void workLeftOut(int partition, String work, boolean leftOut) {
        event((leftOut ? "left out " : "taken up ") + work + " " + partition);
    }

    @Override
    public void lingerSuspended(int lane, boolean suspended) {
        event("linger " + (suspended ? "suspended" : "restored"));
    }

    @Override
    public void conversationDeferred(String conversation, int deferrals) {
        event("deferred " + conversation + " " + deferrals);
    }

    @Override
    public void outcomeUnknown(int lane, int rows, int attempts) {
        event("unknown " + rows + " " + attempts);
    }

    @Override
    public void joinedSettled(int messages, int stored) {
        event("joined " + messages + " " + stored);
    }

    @Override
    public void indexed(int messages, int entries, Duration took) {
        all.add("indexed " + messages + " " + entries);
    }

    @Override
    public void notIndexed(String conversation, int messages, IndexDrop reason) {
        event("not indexed " + reason + " " + conversation + " " + messages);
    }

    @Override
    public void pushDelivered(Session session, String conversation, long seq) {
        event("delivered " + session.device().device() + " " + conversation + " " + seq);
    }

    @Override
    public void pushFailed(Session session, String conversation, long seq, Throwable error) {
        event("failed " + session.device().device() + " " + conversation + " " + seq);
    }

    @Override
    public void pushDropped(String conversation, long seq, int devices, PushDrop reason) {
        event("dropped " + reason + " " + conversation + " " + seq + " " + devices);
    }

    @Override
    public void pushRetried(Session session, String conversation, long seq, int tries) {
        event("retried " + session.device().device() + " " + conversation + " " + seq + " " + tries);
    }

    @Override
    public void pushAcknowledged(Session session, String conversation, long seq, int tries) {
        event("taken " + session.device().device() + " " + conversation + " " + seq + " " + tries);
    }

    @Override
    public void pushGivenUp(Session session, String conversation, long seq, int tries) {
        event("given up " + session.device().device() + " " + conversation + " " + seq + " " + tries);
    }

    @Override
    public void noticed(Session session, String conversation, long upTo) {
        event("noticed " + session.device().device() + " " + conversation + " " + upTo);
    }

    @Override
    public void noticeFailed(Session session, String conversation, long upTo, Throwable error) {
        event("notice failed " + session.device().device() + " " + conversation + " " + upTo);
    }

    @Override
    public void handedOver(String user, String conversation, long seq) {
        event("handed over " + user + " " + conversation + " " + seq);
    }

    @Override
    public void pageServed(String conversation, int messages, Duration took) {
        event("page " + conversation + " " + messages);
    }

    @Override
    public void acknowledged(int acknowledgements, int moved, Duration took) {
        event("acknowledged " + acknowledgements + " " + moved);
    }

    private void event(String event) {
        all.add(event);
        events.add(event);
    }
}
