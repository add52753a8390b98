package dev.tidemark.testing;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.PushDrop;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it is told, one line for each event. */
public final class RecordingListener implements TidemarkListener {

    private final List<String> events = new CopyOnWriteArrayList<>();

    public List<String> events() {
        return events;
    }

    /** How many events begin like this. */
    public long count(String beginning) {
        return events.stream().filter(event -> event.startsWith(beginning)).count();
    }

    @Override
    public void committed(int lane, int rows, Duration took) {
        events.add("committed " + rows);
    }

    @Override
    public void sendRefused(String conversation, ErrorCode code) {
        events.add("refused " + code + " " + conversation);
    }

    @Override
    public void workLeftOut(int partition, String work, boolean leftOut) {
        events.add((leftOut ? "left out " : "taken up ") + work + " " + partition);
    }

    @Override
    public void conversationDeferred(String conversation, int deferrals) {
        events.add("deferred " + conversation + " " + deferrals);
    }

    @Override
    public void outcomeUnknown(int lane, int rows, int attempts) {
        events.add("unknown " + rows + " " + attempts);
    }

    @Override
    public void joinedSettled(int messages, int stored) {
        events.add("joined " + messages + " " + stored);
    }

    @Override
    public void pushDelivered(Session session, String conversation, long seq) {
        events.add("delivered " + session.device().device() + " " + conversation + " " + seq);
    }

    @Override
    public void pushFailed(Session session, String conversation, long seq, Throwable error) {
        events.add("failed " + session.device().device() + " " + conversation + " " + seq);
    }

    @Override
    public void pushDropped(String conversation, long seq, int devices, PushDrop reason) {
        events.add("dropped " + reason + " " + conversation + " " + seq + " " + devices);
    }

    @Override
    public void pushRetried(Session session, String conversation, long seq, int tries) {
        events.add("retried " + session.device().device() + " " + conversation + " " + seq + " " + tries);
    }

    @Override
    public void pushAcknowledged(Session session, String conversation, long seq, int tries) {
        events.add("taken " + session.device().device() + " " + conversation + " " + seq + " " + tries);
    }

    @Override
    public void pushGivenUp(Session session, String conversation, long seq, int tries) {
        events.add("given up " + session.device().device() + " " + conversation + " " + seq + " " + tries);
    }

    @Override
    public void noticed(Session session, String conversation, long upTo) {
        events.add("noticed " + session.device().device() + " " + conversation + " " + upTo);
    }

    @Override
    public void noticeFailed(Session session, String conversation, long upTo, Throwable error) {
        events.add("notice failed " + session.device().device() + " " + conversation + " " + upTo);
    }

    @Override
    public void handedOver(String user, String conversation, long seq) {
        events.add("handed over " + user + " " + conversation + " " + seq);
    }

    @Override
    public void pageServed(String conversation, int messages, Duration took) {
        events.add("page " + conversation + " " + messages);
    }

    @Override
    public void acknowledged(int acknowledgements, int moved, Duration took) {
        events.add("acknowledged " + acknowledgements + " " + moved);
    }
}
