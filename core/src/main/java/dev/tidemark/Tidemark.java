package dev.tidemark;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.internal.Shutdown;
import dev.tidemark.cursor.CursorManager;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.error.Refusal;
import dev.tidemark.error.RefusedException;
import dev.tidemark.fetch.FetchService;
import dev.tidemark.inbox.InboxService;
import dev.tidemark.push.PushService;
import dev.tidemark.send.SendPipeline;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reliable delivery for a chat backend: store first, push second, pull to be sure, and a cursor that only moves forward.
 *
 * <pre>{@code
 * Tidemark tidemark = Tidemark.builder()
 *         .messages(messageStore)
 *         .cursors(cursorStore)
 *         .directory(ourMembership)
 *         .transport((session, push) -> gateway.send(session, codec.encode(push)))
 *         .build();
 * tidemark.start();
 *
 * tidemark.sendPipeline().send(SendRequest.of(conversation, sender, messageId, body)).thenAccept(result -> ...);
 * tidemark.fetchService().page(device, conversation, after).thenAccept(result -> ...);
 * tidemark.cursorManager().acknowledge(device, conversation, renderedSeq);
 * }</pre>
 *
 * <p>Its services may be asked for at any time and used from {@link #start()} to {@link #close()}; before and after, they
 * refuse every call with {@link ErrorCode#CLOSED}. No thread is started before {@link #start()}. Safe for use by many
 * threads.
 */
public final class Tidemark implements AutoCloseable {

    /** How long {@link #close()} lets accepted work take. */
    public static final Duration CLOSE_DEADLINE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Tidemark.class);

    private final Stores stores;
    private final @Nullable SendPipeline sendPipeline;
    private final @Nullable PushService pushService;
    private final @Nullable InboxService inboxService;
    private final FetchService fetchService;
    private final CursorManager cursorManager;
    private final Scheduler scheduler;
    private final OwnThreads ownThreads;

    private boolean started;
    private @Nullable CompletionStage<Void> shutdown;

    Tidemark(
            Stores stores,
            @Nullable SendPipeline sendPipeline,
            @Nullable PushService pushService,
            @Nullable InboxService inboxService,
            FetchService fetchService,
            CursorManager cursorManager,
            Scheduler scheduler,
            OwnThreads ownThreads) {
        this.stores = stores;
        this.sendPipeline = sendPipeline;
        this.pushService = pushService;
        this.inboxService = inboxService;
        this.fetchService = fetchService;
        this.cursorManager = cursorManager;
        this.scheduler = scheduler;
        this.ownThreads = ownThreads;
    }

    /** Begins to put one together. */
    public static TidemarkBuilder builder() {
        return new TidemarkBuilder();
    }

    /**
     * Begins to take calls, after every store has said that it can keep its promises. Starting again does nothing.
     *
     * @throws StorageException of the kind {@link StorageException.Kind#UNSUPPORTED}, with the remedy in its message, when
     *     one cannot, or of another kind when one cannot be asked; nothing was started then, and it may be tried again
     * @throws RefusedException with {@link ErrorCode#CLOSED} after {@link #close()}
     */
    public synchronized void start() {
        if (shutdown != null) {
            throw new RefusedException(Refusal.of(ErrorCode.CLOSED, "this Tidemark was closed; build another one"));
        }
        if (started) {
            return;
        }
        stores.verify();
        if (pushService != null) {
            pushService.start();
        }
        if (inboxService != null) {
            inboxService.start();
        }
        cursorManager.start();
        fetchService.start();
        if (sendPipeline != null) {
            sendPipeline.start();
        }
        started = true;
        LOG.debug("started");
    }

    /**
     * Sends messages.
     *
     * @throws InvalidInputException naming {@code messages} when this was built over a {@linkplain TidemarkBuilder#log log}:
     *     then the host's own code writes
     */
    public SendPipeline sendPipeline() {
        if (sendPipeline == null) {
            throw new InvalidInputException("messages", "to be given to the builder in place of log, to send");
        }
        return sendPipeline;
    }

    /** Reads conversations. */
    public FetchService fetchService() {
        return fetchService;
    }

    /** Keeps what devices have rendered. */
    public CursorManager cursorManager() {
        return cursorManager;
    }

    /**
     * Pushes to connected devices, and takes their word that they have a push.
     *
     * @throws InvalidInputException naming {@code transport} when the builder was given none, or no messages
     */
    public PushService pushService() {
        if (pushService == null) {
            throw new InvalidInputException("transport", "to be given to the builder, beside messages, to push");
        }
        return pushService;
    }

    /**
     * Keeps conversation lists and unread counters.
     *
     * @throws InvalidInputException naming {@code inbox} when the builder was given none
     */
    public InboxService inboxService() {
        if (inboxService == null) {
            throw new InvalidInputException("inbox", "to be given to the builder, to have conversation lists");
        }
        return inboxService;
    }

    /**
     * Where the host registers the connections of devices, so that they are pushed to, and says that they have ended.
     */
    public Presence presence() {
        return stores.presence();
    }

    /**
     * Takes no more calls, finishes what was accepted, and takes no thread to wait for that: first sends,
     * acknowledgements and fetches, then the pushes. {@link #close()} does this and waits.
     *
     * @param deadline how long that may take. What is left then is answered truthfully, pushes are dropped
     * @return completes when everybody is answered. Calling again returns the same
     */
    public synchronized CompletionStage<Void> shutdown(Duration deadline) {
        if (shutdown == null) {
            long end = scheduler.nanoTime() + deadline.toNanos();
            shutdown = endServices(deadline).thenCompose(nothing -> endFollowers(end));
        }
        return shutdown;
    }

    /** {@link #close(Duration)} with {@link #CLOSE_DEADLINE}. */
    @Override
    public void close() {
        close(CLOSE_DEADLINE);
    }

    /**
     * Takes no more calls, finishes what was accepted to a deadline, answers the rest truthfully ({@link ErrorCode#CLOSED}
     * for what was still waiting, {@link ErrorCode#OUTCOME_UNKNOWN} for what a store has had), and ends the threads that
     * Tidemark made, interrupting those that are stuck in a call. Returns when that is done; closing again does no harm. Not
     * to be called on one of its threads, so not in a callback.
     *
     * @param deadline how long what was accepted may take
     */
    public void close(Duration deadline) {
        long end = scheduler.nanoTime() + deadline.toNanos();
        shutdown(deadline).toCompletableFuture().join();
        ownThreads.close(Duration.ofNanos(Math.max(0, end - scheduler.nanoTime())));
        LOG.debug("closed");
    }

    private CompletionStage<Void> endServices(Duration deadline) {
        CompletionStage<Void> reads =
                Shutdown.all(List.of(fetchService.shutdown(deadline), cursorManager.shutdown(deadline)));
        return sendPipeline == null ? reads : Shutdown.all(List.of(sendPipeline.shutdown(deadline), reads));
    }

    /** Ends what follows on sends: lists and pushes. */
    private CompletionStage<Void> endFollowers(long end) {
        Duration left = Duration.ofNanos(Math.max(0, end - scheduler.nanoTime()));
        List<CompletionStage<Void>> followers = new ArrayList<>();
        if (inboxService != null) {
            followers.add(inboxService.shutdown(left));
        }
        if (pushService != null) {
            followers.add(pushService.shutdown(left));
        }
        return Shutdown.all(followers);
    }
}
