package dev.tidemark.send;

import dev.tidemark.storage.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Sends in the hands of one writer, in order. Guarded by its lane. */
final class Batch {

    private final BatchPolicy policy;
    private final List<Send> sends = new ArrayList<>();
    private final List<Backlog> sources = new ArrayList<>();
    private long bytes;
    private int failures;

    Batch(BatchPolicy policy) {
        this.policy = policy;
    }

    boolean hasRoomFor(Send send) {
        return sends.isEmpty()
                || (sends.size() < policy.maxRows()
                        && bytes + send.draft().body().size() <= policy.maxBytes());
    }

    void add(Send send) {
        sends.add(send);
        bytes += send.draft().body().size();
    }

    /** Remembers that sends were taken out of a backlog, which waits for what becomes of them. */
    void addSource(Backlog backlog) {
        sources.add(backlog);
    }

    List<Send> sends() {
        return sends;
    }

    List<Backlog> sources() {
        return sources;
    }

    int size() {
        return sends.size();
    }

    boolean isEmpty() {
        return sends.isEmpty();
    }

    List<Draft> drafts() {
        List<Draft> drafts = new ArrayList<>(sends.size());
        for (Send send : sends) {
            drafts.add(send.draft());
        }
        return drafts;
    }

    /** Takes sends out; returns them. */
    List<Send> remove(Predicate<Send> which) {
        List<Send> removed = new ArrayList<>();
        sends.removeIf(send -> which.test(send) && removed.add(send));
        return removed;
    }

    /** How many attempts in a row ended without a known outcome. */
    int failures() {
        return failures;
    }

    void failed() {
        failures++;
    }
}
