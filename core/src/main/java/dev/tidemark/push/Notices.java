package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.storage.Session;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the sessions of a lane are to be told: that there is something to fetch. However much that is, one notice a
 * conversation tells it, and when even those are too many, one notice a session. Safe for use by many threads.
 */
final class Notices {

    private static final Logger LOG = LoggerFactory.getLogger(Notices.class);

    /** How long a session whose transport threw is left alone before it is told. */
    private static final Duration AFTER_FAULT = Duration.ofSeconds(1);

    /** A notice with its session. */
    record Due(Session session, Push.Notice notice) {}

    /** Whom a mark is for; a conversation that is null stands for all of them. */
    private record Target(Session session, @Nullable String conversation) {}

    private final int capacity;
    private final Scheduler scheduler;
    private final Runnable wake;
    private final Marks<Target> marks = new Marks<>();
    private volatile boolean closed;

    /**
     * Creates an empty collection.
     *
     * @param capacity how many conversations may be told of
     * @param scheduler the time of pauses
     * @param wake called when there is something to tell
     */
    Notices(int capacity, Scheduler scheduler, Runnable wake) {
        this.capacity = capacity;
        this.scheduler = scheduler;
        this.wake = wake;
    }

    /** A session is to be told as soon as there is room. */
    void add(Session session, String conversation, long upTo) {
        Target target = target(session, conversation);
        if (target != null && !closed) {
            marks.add(target, upTo);
            wake.run();
        }
    }

    /** A session is to be told a little later, as its transport cannot write just now. */
    void addLater(Session session, String conversation, long upTo) {
        Target target = target(session, conversation);
        if (target != null && !closed && marks.hold(target, upTo)) {
            releaseLater();
        }
    }

    /** Takes the next notice that is to be sent; null when there is none. */
    @Nullable Due poll() {
        Marks.Mark<Target> mark = marks.poll();
        if (mark == null) {
            return null;
        }
        String conversation = mark.key().conversation();
        return new Due(
                mark.key().session(),
                conversation == null ? Push.Notice.OF_EVERYTHING : new Push.Notice(conversation, mark.upTo()));
    }

    /** Whether there is a notice to send now. */
    boolean isDue() {
        return marks.hasReady();
    }

    /** Takes and tells nothing more. */
    void close() {
        closed = true;
        marks.clear();
    }

    /** Null when the session is to be told of everything anyway. */
    private @Nullable Target target(Session session, String conversation) {
        Target everything = new Target(session, null);
        if (marks.contains(everything)) {
            return null;
        }
        Target target = new Target(session, conversation);
        return marks.size() < capacity || marks.contains(target) ? target : everything;
    }

    private void releaseLater() {
        try {
            scheduler.schedule(AFTER_FAULT, () -> {
                marks.release();
                wake.run();
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("sessions are not told to sync any more, since the scheduler was shut down", e);
        }
    }
}
