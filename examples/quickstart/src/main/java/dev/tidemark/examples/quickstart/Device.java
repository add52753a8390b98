package dev.tidemark.examples.quickstart;

import dev.tidemark.fetch.PageResult;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A phone or a laptop. It obeys the one rule that makes a first screen right, for every message however it comes: known
 * already, drop it; the next one, render it; ahead of the next one, hold it until the gap is filled.
 */
final class Device {

    private static final long LIVE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final DeviceId id;
    private final Map<String, Position> covered = new HashMap<>();
    private final Map<String, TreeMap<Long, StoredMessage>> held = new HashMap<>();
    private final List<StoredMessage> screen = new ArrayList<>();
    private int live;
    private int fetched;

    Device(DeviceId id) {
        this.id = id;
    }

    DeviceId id() {
        return id;
    }

    String name() {
        return id.user() + "'s " + id.device();
    }

    /** How far it has rendered a conversation: what it asks from when it comes back. */
    synchronized Position position(String conversation) {
        return covered.getOrDefault(conversation, Position.START);
    }

    /** A message that was pushed, or the receipt of one this device sent itself. */
    synchronized void receive(StoredMessage message) {
        TreeMap<Long, StoredMessage> waiting = held.computeIfAbsent(message.conversation(), key -> new TreeMap<>());
        if (message.seq() > position(message.conversation()).seq()) {
            waiting.put(message.seq(), message);
        }
        live += renderWhatIsNext(message.conversation());
    }

    /** A page: it covers what it says, also where there is nothing in it to render. */
    synchronized int receive(PageResult.Page page) {
        int rendered = 0;
        for (StoredMessage message : page.messages()) {
            if (message.seq() > position(message.conversation()).seq()) {
                render(message);
                rendered++;
            }
        }
        if (page.covered().seq() >= position(page.conversation()).seq()) {
            covered.put(page.conversation(), page.covered());
        }
        fetched += rendered;
        live += renderWhatIsNext(page.conversation());
        return rendered;
    }

    private int renderWhatIsNext(String conversation) {
        TreeMap<Long, StoredMessage> waiting = held.getOrDefault(conversation, new TreeMap<>());
        int rendered = 0;
        while (!waiting.isEmpty()
                && waiting.firstKey() <= position(conversation).seq() + 1) {
            StoredMessage next = waiting.pollFirstEntry().getValue();
            if (next.seq() > position(conversation).seq()) {
                render(next);
                rendered++;
            }
        }
        notifyAll();
        return rendered;
    }

    private void render(StoredMessage message) {
        screen.add(message);
        covered.put(message.conversation(), message.position());
    }

    /**
     * Waits until a message has come live.
     *
     * @return whether it has; a push is best effort, so the answer to no is to fetch
     */
    synchronized boolean awaitLive(String conversation, long seq) {
        long deadline = System.nanoTime() + LIVE_TIMEOUT_NANOS;
        while (position(conversation).seq() < seq) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (millis <= 0) {
                return false;
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Everything it has ever rendered, in that order. */
    synchronized List<StoredMessage> screen() {
        return List.copyOf(screen);
    }

    /** How many of them came as they were said. */
    synchronized int live() {
        return live;
    }

    /** How many of them were fetched. */
    synchronized int fetched() {
        return fetched;
    }
}
