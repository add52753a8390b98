package dev.tidemark;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.Threads;
import dev.tidemark.cursor.CursorManager;
import dev.tidemark.cursor.CursorPolicy;
import dev.tidemark.cursor.Rendered;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.fetch.FetchPolicy;
import dev.tidemark.fetch.FetchService;
import dev.tidemark.inbox.InboxPolicy;
import dev.tidemark.inbox.InboxService;
import dev.tidemark.inbox.Indexer;
import dev.tidemark.inbox.Preview;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.push.Offline;
import dev.tidemark.push.PushPolicy;
import dev.tidemark.push.PushService;
import dev.tidemark.push.Pusher;
import dev.tidemark.push.RetryPolicy;
import dev.tidemark.push.Transport;
import dev.tidemark.send.BatchPolicy;
import dev.tidemark.send.SendAuthorizer;
import dev.tidemark.send.SendLimiter;
import dev.tidemark.send.SendPipeline;
import dev.tidemark.send.SendPolicy;
import dev.tidemark.send.ShedPolicy;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Partitioned;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.memory.InMemoryPresence;
import java.time.Clock;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link Tidemark} together. Required are {@link #messages} or {@link #log}, {@link #cursors} and {@link #directory};
 * everything else has a default. Every setter checks what it is given at once. Not safe for use by many threads.
 *
 * <p>What is handed in stays the host's: Tidemark never closes a store, nor shuts down an executor that it did not make.
 */
public final class TidemarkBuilder {

    private @Nullable MessageStore messages;
    private @Nullable MessageLog log;
    private @Nullable CursorStore cursors;
    private @Nullable ConversationDirectory directory;
    private @Nullable InboxStore inbox;
    private @Nullable Presence presence;
    private @Nullable Transport transport;
    private @Nullable Scheduler scheduler;
    private @Nullable Executor storeExecutor;
    private @Nullable Executor pushExecutor;
    private @Nullable Executor completeOn;
    private Clock clock = Clock.systemUTC();
    private SendAuthorizer authorizer = SendAuthorizer.all();
    private SendLimiter limiter = SendLimiter.none();
    private SendPolicy sendPolicy = SendPolicy.defaults();
    private BatchPolicy batchPolicy = BatchPolicy.defaults();
    private ShedPolicy shedPolicy = ShedPolicy.defaults();
    private PushPolicy pushPolicy = PushPolicy.defaults();
    private RetryPolicy retry = RetryPolicy.none();
    private Offline offline = Offline.none();
    private Preview preview = Preview.none();
    private InboxPolicy inboxPolicy = InboxPolicy.defaults();
    private FetchPolicy fetchPolicy = FetchPolicy.defaults();
    private CursorPolicy cursorPolicy = CursorPolicy.defaults();
    private TidemarkListener listener = TidemarkListener.NONE;

    TidemarkBuilder() {}

    /**
     * Where messages are stored. Required, unless a {@link #log} is given.
     *
     * @throws InvalidInputException naming {@code messages} when it is null
     */
    public TidemarkBuilder messages(MessageStore value) {
        messages = given("messages", value);
        return this;
    }

    /**
     * The messages of a host that stores them itself, by its own code, and adopts only fetch and cursors: then {@link
     * Tidemark#sendPipeline()} throws. Takes the place of {@link #messages}; default: those.
     *
     * @throws InvalidInputException naming {@code log} when it is null
     */
    public TidemarkBuilder log(MessageLog value) {
        log = given("log", value);
        return this;
    }

    /**
     * Where cursors are kept. Required.
     *
     * @throws InvalidInputException naming {@code cursors} when it is null
     */
    public TidemarkBuilder cursors(CursorStore value) {
        cursors = given("cursors", value);
        return this;
    }

    /**
     * Who belongs where. Required.
     *
     * @throws InvalidInputException naming {@code directory} when it is null
     */
    public TidemarkBuilder directory(ConversationDirectory value) {
        directory = given("directory", value);
        return this;
    }

    /**
     * Where conversation lists and unread counters are kept. Default: nowhere, and {@link Tidemark#inboxService()} throws.
     *
     * @throws InvalidInputException naming {@code inbox} when it is null
     */
    public TidemarkBuilder inbox(InboxStore value) {
        inbox = given("inbox", value);
        return this;
    }

    /**
     * What conversation lists show of a message. Default: {@link Preview#none()}.
     *
     * @throws InvalidInputException naming {@code preview} when it is null
     */
    public TidemarkBuilder preview(Preview value) {
        preview = given("preview", value);
        return this;
    }

    /**
     * How conversation lists are kept. Default: {@link InboxPolicy#defaults()}.
     *
     * @throws InvalidInputException naming {@code inboxPolicy} when it is null
     */
    public TidemarkBuilder inboxPolicy(InboxPolicy value) {
        inboxPolicy = given("inboxPolicy", value);
        return this;
    }

    /**
     * Which devices are connected. Default: an {@link InMemoryPresence} of its own, see {@link Tidemark#presence()}, which
     * is all that a single node needs.
     *
     * @throws InvalidInputException naming {@code presence} when it is null
     */
    public TidemarkBuilder presence(Presence value) {
        presence = given("presence", value);
        return this;
    }

    /**
     * The way to the connected devices. Default: none, and nothing is pushed.
     *
     * @throws InvalidInputException naming {@code transport} when it is null
     */
    public TidemarkBuilder transport(Transport value) {
        transport = given("transport", value);
        return this;
    }

    /**
     * The time of deadlines and pauses. Default: one thread {@code tidemark-timer} on the system's monotonic time.
     *
     * @throws InvalidInputException naming {@code scheduler} when it is null
     */
    public TidemarkBuilder scheduler(Scheduler value) {
        scheduler = given("scheduler", value);
        return this;
    }

    /**
     * Makes the blocking calls to stores and directory. Default: as many threads {@code tidemark-store} as the policies say
     * that lanes and reads can use at once, each started when there is work for it. An executor of virtual threads will do;
     * one with fewer threads lets them take turns.
     *
     * @throws InvalidInputException naming {@code storeExecutor} when it is null
     */
    public TidemarkBuilder storeExecutor(Executor value) {
        storeExecutor = given("storeExecutor", value);
        return this;
    }

    /**
     * Runs the push lanes. Default: a thread {@code tidemark-push} for each lane, {@link PushPolicy#threads()}, started when
     * there is work for it, so that a transport that blocks holds up its own lane only. With fewer threads, as many blocked
     * lanes hold up all the others. An executor of virtual threads will do.
     *
     * @throws InvalidInputException naming {@code pushExecutor} when it is null
     */
    public TidemarkBuilder pushExecutor(Executor value) {
        pushExecutor = given("pushExecutor", value);
        return this;
    }

    /**
     * Completes the stages handed to the host and so runs the host's callbacks. Default: a thread {@code tidemark-complete}
     * per processor. A callback that blocks holds up the callbacks of the same batch, but never a lane; callbacks that
     * block for long belong on an executor of their own, by {@code thenAcceptAsync}.
     *
     * @throws InvalidInputException naming {@code completeOn} when it is null
     */
    public TidemarkBuilder completeOn(Executor value) {
        completeOn = given("completeOn", value);
        return this;
    }

    /**
     * What says how old a message is. Decides no order, and times nothing. Default: the system's clock.
     *
     * @throws InvalidInputException naming {@code clock} when it is null
     */
    public TidemarkBuilder clock(Clock value) {
        clock = given("clock", value);
        return this;
    }

    /**
     * The host's say in who may send what, after membership. Default: {@link SendAuthorizer#all()}.
     *
     * @throws InvalidInputException naming {@code authorizer} when it is null
     */
    public TidemarkBuilder authorizer(SendAuthorizer value) {
        authorizer = given("authorizer", value);
        return this;
    }

    /**
     * How fast a sender may send. Default: {@link SendLimiter#none()}.
     *
     * @throws InvalidInputException naming {@code limiter} when it is null
     */
    public TidemarkBuilder limiter(SendLimiter value) {
        limiter = given("limiter", value);
        return this;
    }

    /**
     * What sends are held to. Default: {@link SendPolicy#defaults()}.
     *
     * @throws InvalidInputException naming {@code sendPolicy} when it is null
     */
    public TidemarkBuilder sendPolicy(SendPolicy value) {
        sendPolicy = given("sendPolicy", value);
        return this;
    }

    /**
     * How much goes into one transaction. Default: {@link BatchPolicy#defaults()}.
     *
     * @throws InvalidInputException naming {@code batchPolicy} when it is null
     */
    public TidemarkBuilder batchPolicy(BatchPolicy value) {
        batchPolicy = given("batchPolicy", value);
        return this;
    }

    /**
     * What is left out under load. Default: {@link ShedPolicy#defaults()}.
     *
     * @throws InvalidInputException naming {@code shedPolicy} when it is null
     */
    public TidemarkBuilder shedPolicy(ShedPolicy value) {
        shedPolicy = given("shedPolicy", value);
        return this;
    }

    /**
     * How much is pushed at once and how much may wait. Default: {@link PushPolicy#defaults()}.
     *
     * @throws InvalidInputException naming {@code pushPolicy} when it is null
     */
    public TidemarkBuilder pushPolicy(PushPolicy value) {
        pushPolicy = given("pushPolicy", value);
        return this;
    }

    /**
     * How often a push is tried that its device does not acknowledge. Default: {@link RetryPolicy#none()}, for hosts whose
     * devices do not acknowledge pushes; {@link RetryPolicy#defaults()} for those that do.
     *
     * @throws InvalidInputException naming {@code retry} when it is null
     */
    public TidemarkBuilder retry(RetryPolicy value) {
        retry = given("retry", value);
        return this;
    }

    /**
     * Takes messages for users none of whose devices is connected. Default: nobody does.
     *
     * @throws InvalidInputException naming {@code offline} when it is null
     */
    public TidemarkBuilder offline(Offline value) {
        offline = given("offline", value);
        return this;
    }

    /**
     * How much is read at once. Default: {@link FetchPolicy#defaults()}.
     *
     * @throws InvalidInputException naming {@code fetchPolicy} when it is null
     */
    public TidemarkBuilder fetchPolicy(FetchPolicy value) {
        fetchPolicy = given("fetchPolicy", value);
        return this;
    }

    /**
     * How acknowledgements are gathered. Default: {@link CursorPolicy#defaults()}.
     *
     * @throws InvalidInputException naming {@code cursorPolicy} when it is null
     */
    public TidemarkBuilder cursorPolicy(CursorPolicy value) {
        cursorPolicy = given("cursorPolicy", value);
        return this;
    }

    /**
     * Told of what happens. Default: {@link TidemarkListener#NONE}.
     *
     * @throws InvalidInputException naming {@code listener} when it is null
     */
    public TidemarkBuilder listener(TidemarkListener value) {
        listener = given("listener", value);
        return this;
    }

    /**
     * Builds it. Nothing is running yet, and no thread was started.
     *
     * @throws InvalidInputException naming the required part that is missing: {@code messages}, {@code cursors} or {@code
     *     directory}; or {@code log} when it was given besides {@code messages}
     */
    public Tidemark build() {
        if (messages != null && log != null) {
            throw new InvalidInputException("log", "either messages or a log, were both");
        }
        MessageLog readable = required("messages", messages == null ? log : messages);
        CursorStore keeper = required("cursors", cursors);
        ConversationDirectory members = required("directory", directory);
        Presence sessions = presence == null ? new InMemoryPresence() : presence;
        OwnThreads own = new OwnThreads();
        Threads threads = threads(own, Partitioned.of(readable).partitions());
        PushService push = messages == null ? null : push(members, sessions, threads.scheduler(), own);
        InboxService lists = inbox == null
                ? null
                : new InboxService(inbox, readable, members, preview, inboxPolicy, threads, listener);
        return new Tidemark(
                new Stores(readable, keeper, members, push == null ? sessions : push.presence(), inbox),
                messages == null ? null : send(messages, members, lists, push, threads),
                push,
                lists,
                new FetchService(readable, keeper, members, fetchPolicy, threads, listener),
                new CursorManager(
                        keeper,
                        readable,
                        members,
                        cursorPolicy,
                        push == null ? Rendered.none() : push::rendered,
                        threads,
                        listener),
                threads.scheduler(),
                own);
    }

    private SendPipeline send(
            MessageStore store,
            ConversationDirectory members,
            @Nullable InboxService lists,
            @Nullable PushService push,
            Threads threads) {
        return SendPipeline.over(store, members, threads)
                .authorizer(authorizer)
                .limiter(limiter)
                .clock(clock)
                .indexer(lists == null ? Indexer.none() : lists)
                .pusher(push == null ? Pusher.none() : push)
                .policy(sendPolicy)
                .batchPolicy(batchPolicy)
                .shedPolicy(shedPolicy)
                .listener(listener)
                .build();
    }

    private Threads threads(OwnThreads own, int partitions) {
        return new Threads(
                storeExecutor == null
                        ? own.executor(
                                "tidemark-store",
                                partitions * (sendPolicy.threads() + fetchPolicy.concurrency() + cursorPolicy.lanes())
                                        + (inbox == null ? 0 : inboxPolicy.threads()))
                        : storeExecutor,
                completeOn == null
                        ? own.executor("tidemark-complete", Runtime.getRuntime().availableProcessors())
                        : completeOn,
                scheduler == null ? own.scheduler("tidemark-timer") : scheduler);
    }

    private @Nullable PushService push(
            ConversationDirectory members, Presence sessions, Scheduler time, OwnThreads own) {
        if (transport == null) {
            return null;
        }
        Executor executor = pushExecutor == null ? own.executor("tidemark-push", pushPolicy.threads()) : pushExecutor;
        return PushService.over(members, sessions, transport, executor, time)
                .offline(offline)
                .policy(pushPolicy)
                .retry(retry)
                .listener(listener)
                .build();
    }

    private static <T> T given(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidInputException(field, "something, was null");
        }
        return value;
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidInputException(field, "to be given, as it has no default");
        }
        return value;
    }
}
