package dev.tidemark.send;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The sends of one conversation that cannot simply go with the next batch, in order: it is locked by somebody else, or it
 * has more than its share. While there is a backlog, every later send of the conversation joins it (H42). Guarded by its
 * lane.
 */
final class Backlog {

    private final String conversation;
    private final Deque<Send> sends = new ArrayDeque<>();
    private int deferrals;

    Backlog(String conversation) {
        this.conversation = conversation;
    }

    String conversation() {
        return conversation;
    }

    void add(Send send) {
        sends.addLast(send);
    }

    void addFirst(Send send) {
        sends.addFirst(send);
    }

    @Nullable Send peek() {
        return sends.peekFirst();
    }

    void removeFirst() {
        sends.removeFirst();
    }

    void clear() {
        sends.clear();
    }

    boolean isEmpty() {
        return sends.isEmpty();
    }

    Iterable<Send> sends() {
        return sends;
    }

    /** How many attempts in a row met a lock. */
    int deferrals() {
        return deferrals;
    }

    void deferred() {
        deferrals++;
    }

    void progressed() {
        deferrals = 0;
    }
}
