package dev.tidemark.fetch;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.Gate;
import dev.tidemark.concurrent.internal.PartitionedLanes;
import dev.tidemark.concurrent.internal.Replies;
import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.concurrent.internal.Shutdown;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.error.RefusedException;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Partitioned;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Reads conversations, page by page, for devices that want to be sure: whatever a push did or did not bring, a device that
 * asks until a page is {@linkplain PageResult.Page#upToDate() up to date} has everything it may see, once and in order.
 *
 * <p>A fetch moves no cursor. Every answer is within what the user may see (P9). Safe for use by many threads. It takes
 * requests from {@link #start()} to {@link #shutdown(Duration)}.
 */
public final class FetchService {

    /** The most messages of a page, whatever is asked. */
    public static final int MAX_PAGE = 50;

    private static final Refusal NO_PARTITION =
            Refusal.of(ErrorCode.UNSUPPORTED, "the partitioner gives the conversation no partition; nothing was read");

    private final PageReader reader;
    private final FetchPolicy policy;
    private final Threads threads;
    private final TidemarkListener listener;
    private final Replies replies;
    private final PartitionedLanes<Gate<Read>> gates;
    private final FaultLog faults;

    /**
     * Creates the service.
     *
     * @param log the messages, Tidemark's own or a host's
     * @param cursors the cursors that pages carry
     * @param directory says what users may see
     * @param policy how much is read at once
     * @param threads what to run on; uses up to {@link FetchPolicy#concurrency()} threads of the
     *     store executor for each of the log's {@linkplain Partitioned partitions}
     * @param listener told of what happens
     */
    public FetchService(
            MessageLog log,
            CursorStore cursors,
            ConversationDirectory directory,
            FetchPolicy policy,
            Threads threads,
            TidemarkListener listener) {
        this.reader = new PageReader(log, cursors, directory);
        this.policy = policy;
        this.threads = threads;
        this.listener = TidemarkListener.contained(listener, threads.scheduler()::nanoTime);
        this.replies = new Replies(threads.completeOn());
        this.gates = new PartitionedLanes<>(
                Partitioned.of(log),
                1,
                partition -> new Gate<>(policy.concurrency(), policy.queueCapacity(), threads.storeExecutor()));
        this.faults = new FaultLog(
                LoggerFactory.getLogger(FetchService.class), "a page could not be read", threads.scheduler()::nanoTime);
    }

    /** Takes requests from now on. Starts no thread. */
    public void start() {
        gates.forEach(Gate::open);
    }

    /** A page of up to {@link #MAX_PAGE} messages; see {@link #page(DeviceId, String, Position, int)}. */
    public CompletionStage<PageResult> page(DeviceId device, String conversation, Position after) {
        return page(device, conversation, after, MAX_PAGE);
    }

    /**
     * What the user may see of a conversation after a position.
     *
     * @param device the device that asks; the host has made sure that it is this device
     * @param conversation the conversation
     * @param after where the device stands: {@link Position#START}, the {@link PageResult.Page#covered()} of the page
     *     before, or the position of a message. The tag does not matter at sequence 0
     * @param limit the most messages wanted, 1 or more; more than {@link #MAX_PAGE} count as that many
     * @return completes on the executor for completions, never exceptionally. A wrong argument is refused by name
     */
    public CompletionStage<PageResult> page(DeviceId device, String conversation, Position after, int limit) {
        return read(device, conversation, after, limit);
    }

    /**
     * {@link #page(DeviceId, String, Position, int)}, waiting for the page. Not to be called on the executor for
     * completions, which brings it.
     *
     * @return never a {@link PageResult.Refused}
     * @throws RefusedException with that refusal instead; with {@link ErrorCode#UNAVAILABLE} when the thread was
     *     interrupted while waiting (it still is, then)
     */
    public PageResult pageAndWait(DeviceId device, String conversation, Position after, int limit) {
        PageResult result = read(device, conversation, after, limit).await(ErrorCode.UNAVAILABLE);
        if (result instanceof PageResult.Refused refused) {
            throw new RefusedException(refused.refusal());
        }
        return result;
    }

    /**
     * Takes no more requests, and answers those it has.
     *
     * @param deadline how long that may take; what is left then is refused as {@link ErrorCode#CLOSED}
     * @return completes when everybody is answered. Calling again does no harm
     */
    public CompletionStage<Void> shutdown(Duration deadline) {
        return Shutdown.within(
                Shutdown.all(gates.map(Gate::close)),
                deadline,
                threads.scheduler(),
                () -> gates.forEach(this::abandon));
    }

    private Reply<PageResult> read(DeviceId device, String conversation, Position after, int limit) {
        Refusal invalid = judge(device, conversation, after, limit);
        if (invalid != null) {
            return Reply.of(new PageResult.Refused(invalid));
        }
        Gate<Read> gate = gates.get(conversation);
        if (gate == null) {
            return Reply.of(new PageResult.Refused(NO_PARTITION));
        }
        Read read = new Read(gate, device, conversation, after, Math.min(limit, MAX_PAGE));
        return switch (gate.offer(read)) {
            case TAKEN -> read;
            case FULL -> Reply.of(refused(gate, ErrorCode.OVERLOADED, gate.size() + " reads are under way"));
            case CLOSED -> Reply.of(refused(gate, ErrorCode.CLOSED, "this instance is not running"));
        };
    }

    private void abandon(Gate<Read> gate) {
        gate.inside().forEach(read -> read.answer(refused(gate, ErrorCode.CLOSED, "this instance is shutting down")));
    }

    private static @Nullable Refusal judge(DeviceId device, String conversation, @Nullable Position after, int limit) {
        Refusal wrong = Ids.judge(device, conversation);
        if (wrong != null) {
            return wrong;
        }
        if (after == null) {
            return Refusal.invalid("after", "a position, was null");
        }
        return limit < 1 ? Refusal.invalid("limit", "1 or more, was " + limit) : null;
    }

    private PageResult refused(Gate<Read> gate, ErrorCode code, String detail) {
        Duration retryAfter = Duration.ofMillis(200).multipliedBy(1 + gate.size() / policy.concurrency());
        return new PageResult.Refused(
                code.retryable() ? Refusal.retryable(code, detail, retryAfter) : Refusal.of(code, detail));
    }

    /** One request, and its caller's stage. */
    private final class Read extends Reply<PageResult> implements Gate.Task {

        private final Gate<Read> gate;
        private final DeviceId device;
        private final String conversation;
        private final Position after;
        private final int limit;

        Read(Gate<Read> gate, DeviceId device, String conversation, Position after, int limit) {
            this.gate = gate;
            this.device = device;
            this.conversation = conversation;
            this.after = after;
            this.limit = limit;
        }

        @Override
        public void run() {
            if (isDecided()) {
                return;
            }
            long begin = threads.scheduler().nanoTime();
            try {
                PageResult result = reader.read(device, conversation, after, limit);
                if (result instanceof PageResult.Page page) {
                    Duration took = Duration.ofNanos(threads.scheduler().nanoTime() - begin);
                    listener.pageServed(conversation, page.messages().size(), took);
                }
                answer(result);
            } catch (Throwable e) {
                faults.report(() -> "user " + device.user() + ", conversation " + conversation + ", after " + after, e);
                answer(failed(e));
            }
        }

        @Override
        public void refused(Throwable refusal) {
            answer(FetchService.this.refused(gate, ErrorCode.OVERLOADED, "no thread to read on"));
        }

        void answer(PageResult result) {
            if (decide(result)) {
                replies.deliver(List.of(this));
            }
        }

        private PageResult failed(Throwable fault) {
            ErrorCode code =
                    fault instanceof StorageException storage && !storage.code().retryable()
                            ? storage.code()
                            : ErrorCode.UNAVAILABLE;
            return FetchService.this.refused(gate, code, "conversation " + conversation + " could not be read");
        }
    }
}
