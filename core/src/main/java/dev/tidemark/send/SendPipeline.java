package dev.tidemark.send;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.Gate;
import dev.tidemark.concurrent.internal.PartitionedLanes;
import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.concurrent.internal.Shutdown;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.error.Refusal;
import dev.tidemark.error.RefusedException;
import dev.tidemark.inbox.Indexer;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.push.Pusher;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Partitioned;
import dev.tidemark.storage.TransactionalMessageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages: store first, push second. A send takes these steps, and each can say no:
 *
 * <ol>
 *   <li>{@linkplain Validation validate} the request by itself, and charge its sender's {@linkplain SendLimiter rate}, on the
 *       caller's thread;
 *   <li>wait in the conversation's {@linkplain SendLane lane}, a bounded waiting room, for the next batch;
 *   <li>{@linkplain Admission authorize} the whole batch, fresh from the directory;
 *   <li>{@linkplain Appender number and store} it in one transaction: from here on it is a success, and the caller is told;
 *   <li>{@linkplain Indexer index} it: conversation lists and unread counters, mended when that fails;
 *   <li>{@linkplain Pusher push} it to whom it concerns, best effort.
 * </ol>
 *
 * <p>Sends of one sender to one conversation keep their order. Safe for use by many threads. It takes sends from {@link
 * #start()} to {@link #shutdown(Duration)}.
 */
public final class SendPipeline {

    private static final Refusal CLOSED = Refusal.retryable(
            ErrorCode.CLOSED, "this send pipeline is not running; nothing was done", Duration.ofSeconds(1));

    private static final Refusal NO_PARTITION =
            Refusal.of(ErrorCode.UNSUPPORTED, "the partitioner gives the conversation no partition; nothing was done");

    private final SendPolicy policy;
    private final Threads threads;
    private final TidemarkListener listener;
    private final MessageStore store;
    private final Validation validation;
    private final Admission admission;
    private final List<Governor> governors;
    private final PartitionedLanes<SendLane> lanes;
    private final JoinedLane joined;
    private volatile boolean open;

    SendPipeline(SendPipelineBuilder parts) {
        this.policy = parts.policy;
        this.threads = parts.threads;
        this.listener = TidemarkListener.contained(parts.listener, threads.scheduler()::nanoTime);
        this.store = parts.store;
        this.validation = new Validation(
                Math.min(policy.maxBodyBytes(), parts.store.limits().maxBodyBytes()), policy.horizon(), parts.clock);
        Partitioned partitions = Partitioned.of(parts.store);
        this.governors = IntStream.range(0, partitions.partitions())
                .mapToObj(partition ->
                        new Governor(partition, parts.shedPolicy, () -> fill(partition), threads.scheduler(), listener))
                .toList();
        this.admission = new Admission(
                parts.directory, parts.authorizer, parts.limiter, parts.store, threads.scheduler(), listener);
        List<AfterStore> afterStore = governors.stream()
                .map(governor -> new AfterStore(parts.indexer, parts.pusher, governor, threads.scheduler()::nanoTime))
                .toList();
        this.lanes = new PartitionedLanes<>(partitions, policy.lanes(), lanesOf(parts, afterStore));
        // A transaction of the host's is one in one database, so a store that knows them has no partitions.
        this.joined = new JoinedLane(
                parts.store, afterStore.get(0), governors.get(0), policy.queueCapacity(), threads, this.listener);
    }

    private IntFunction<SendLane> lanesOf(SendPipelineBuilder parts, List<AfterStore> afterStore) {
        List<Gate<Gate.Task>> lockWaiters = new ArrayList<>();
        for (int i = 0; i < governors.size(); i++) {
            Gate<Gate.Task> gate = new Gate<>(policy.lockWaiters(), 0, threads.storeExecutor());
            gate.open();
            lockWaiters.add(gate);
        }
        AtomicInteger numbers = new AtomicInteger();
        return partition -> new SendLane(
                numbers.getAndIncrement(),
                parts.store,
                admission,
                afterStore.get(partition),
                governors.get(partition),
                policy,
                parts.batchPolicy,
                lockWaiters.get(partition),
                threads,
                listener);
    }

    /**
     * Begins to put a pipeline together.
     *
     * @param store stores the messages
     * @param directory says who may write
     * @param threads what to run on; the pipeline uses up to {@link SendPolicy#threads()} threads of the store executor
     */
    public static SendPipelineBuilder over(MessageStore store, ConversationDirectory directory, Threads threads) {
        return new SendPipelineBuilder(store, directory, threads);
    }

    /** Takes sends from now on. Starts no thread. */
    public void start() {
        lanes.forEach(SendLane::open);
        joined.open();
        open = true;
    }

    /**
     * Sends a message.
     *
     * @param request the message
     * @return completes with {@link SendResult.Stored} once the message is durable, otherwise with {@link
     *     SendResult.Refused}; always, by the request's deadline, and never exceptionally. What can be refused at once is
     *     complete on return; the rest completes on the executor for completions
     */
    public CompletionStage<SendResult> send(SendRequest request) {
        return begin(request);
    }

    /**
     * Sends a message and waits for the result. Not to be called on the executor for completions, which brings it.
     *
     * @param request the message
     * @return the message is durable
     * @throws RefusedException when it is not, with the refusal that {@link #send} would have answered; with {@link
     *     ErrorCode#OUTCOME_UNKNOWN} when the thread was interrupted while waiting (it still is, then)
     */
    public SendResult.Stored sendAndWait(SendRequest request) {
        SendResult result = begin(request).await(ErrorCode.OUTCOME_UNKNOWN);
        if (result instanceof SendResult.Stored stored) {
            return stored;
        }
        throw new RefusedException(((SendResult.Refused) result).refusal());
    }

    /**
     * What watches the load of each partition, in the order of partitions; one where the message store has none.
     */
    public List<Governor> governors() {
        return governors;
    }

    /** Sets the linger of every lane by hand, or back to {@link Governor.Switch#AUTO}; see {@link BatchPolicy#linger()}. */
    public void pinLinger(Governor.Switch value) {
        lanes.forEach(lane -> lane.pinLinger(value));
    }

    /**
     * Sends messages inside transactions of the host's own, together with its rows.
     *
     * @param transactional the store of this pipeline; named again, since it knows what a transaction is
     * @param <T> the host's transaction
     * @return may be kept and shared; takes sends while the pipeline does
     * @throws InvalidInputException naming {@code transactional} when it is not the store that this pipeline was built over
     */
    public <T> HostTransactions<T> within(TransactionalMessageStore<T> transactional) {
        if (transactional != store) {
            throw new InvalidInputException("transactional", "the message store that this pipeline was built over");
        }
        return new HostTransactions<>(transactional, validation, admission, joined, () -> open ? null : CLOSED);
    }

    /**
     * Takes no more sends, and finishes those that were accepted.
     *
     * @param deadline how long those may take. What is left then is answered truthfully: {@link ErrorCode#CLOSED} for what
     *     was still waiting, {@link ErrorCode#OUTCOME_UNKNOWN} for what the store has had
     * @return completes when every accepted send is answered and nothing is under way, or the deadline has come. Calling
     *     again does no harm
     */
    public CompletionStage<Void> shutdown(Duration deadline) {
        open = false;
        List<CompletionStage<Void>> idle = lanes.map(SendLane::close);
        idle.add(joined.close());
        return Shutdown.within(Shutdown.all(idle), deadline, threads.scheduler(), this::abandon);
    }

    private void abandon() {
        lanes.forEach(SendLane::abandon);
        joined.abandon();
    }

    private Reply<SendResult> begin(SendRequest request) {
        Refusal refusal = open ? validation.judge(request) : CLOSED;
        if (refusal != null) {
            return refuse(request, refusal);
        }
        // The lane takes it through the other steps, together with what it meets there: see BatchWriter.
        long now = threads.scheduler().nanoTime();
        Send send = new Send(request, now, now + timeout(request).toNanos());
        SendLane lane = lanes.get(send.conversation());
        return lane == null ? refuse(request, NO_PARTITION) : lane.accept(send);
    }

    private Reply<SendResult> refuse(@Nullable SendRequest request, Refusal refusal) {
        if (refusal.code() != ErrorCode.CLOSED) {
            String conversation = request == null ? null : request.conversation();
            listener.sendRefused(Objects.requireNonNullElse(conversation, ""), refusal.code());
        }
        return Reply.of(new SendResult.Refused(refusal));
    }

    /** How full the queues of a partition are. */
    private double fill(int partition) {
        int sends = 0;
        for (SendLane lane : lanes.of(partition)) {
            sends += lane.size();
        }
        return (double) sends / (policy.lanes() * policy.queueCapacity());
    }

    private Duration timeout(SendRequest request) {
        return Objects.requireNonNullElse(request.timeout(), policy.timeout());
    }
}
