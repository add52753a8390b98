package dev.tidemark.cursor;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.PartitionedLanes;
import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.concurrent.internal.Shutdown;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.error.RefusedException;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Partitioned;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Keeps for every device how far it has rendered each conversation. A cursor moves forward only, and only on the device's
 * word that it has <em>rendered</em> up to there: no fetch and no push moves it (P5).
 *
 * <p>Acknowledgements gather in bounded lanes, and a burst of them costs one write. Safe for use by many threads. It takes
 * calls from {@link #start()} to {@link #shutdown(Duration)}.
 */
public final class CursorManager {

    private static final Refusal NO_PARTITION =
            Refusal.of(ErrorCode.UNSUPPORTED, "the partitioner gives the conversation no partition; nothing was done");

    private final Threads threads;
    private final PartitionedLanes<AckLane> lanes;

    /**
     * Creates the manager.
     *
     * @param cursors keeps the cursors
     * @param log says how far conversations go
     * @param directory says what users may see
     * @param policy how acknowledgements are gathered
     * @param rendered told of what devices have rendered
     * @param threads what to run on; uses up to {@link CursorPolicy#lanes()} threads of the
     *     store executor for each of the log's {@linkplain Partitioned partitions}
     * @param listener told of what happens
     */
    public CursorManager(
            CursorStore cursors,
            MessageLog log,
            ConversationDirectory directory,
            CursorPolicy policy,
            Rendered rendered,
            Threads threads,
            TidemarkListener listener) {
        this.threads = threads;
        TidemarkListener contained = TidemarkListener.contained(listener, threads.scheduler()::nanoTime);
        FaultLog faults = new FaultLog(
                LoggerFactory.getLogger(CursorManager.class),
                "acknowledgements could not be settled",
                threads.scheduler()::nanoTime);
        this.lanes = new PartitionedLanes<>(
                Partitioned.of(log),
                policy.lanes(),
                partition -> new AckLane(
                        new AckWriter(cursors, log, directory, faults), policy, rendered, threads, contained));
    }

    /** Takes calls from now on. Starts no thread. */
    public void start() {
        lanes.forEach(AckLane::open);
    }

    /**
     * Takes a device's word that it has rendered everything it may see of a conversation, up to and including a sequence.
     *
     * @param device the device; the host has made sure that it is this device
     * @param conversation the conversation
     * @param renderedSeq the sequence, 0 or more
     * @return completes on the executor for completions, never exceptionally. Refused are: a negative sequence ({@link
     *     ErrorCode#INVALID}), one past the last message the user may see, by a fresh look ({@link
     *     ErrorCode#BEYOND_HEAD}), and a conversation the user never was a member of ({@link ErrorCode#NOT_A_MEMBER}); the
     *     cursor stays untouched then (H12). A stale one is acknowledged in silence
     */
    public CompletionStage<AckResult> acknowledge(DeviceId device, String conversation, long renderedSeq) {
        return offer(device, conversation, renderedSeq, false);
    }

    /**
     * {@link #acknowledge}, waiting for the result. Not to be called on the executor for completions, which brings it.
     *
     * @return the cursor as it is held now
     * @throws RefusedException when it was refused; with {@link ErrorCode#OUTCOME_UNKNOWN} when the thread was interrupted
     *     while waiting (it still is, then)
     */
    public Cursor acknowledgeAndWait(DeviceId device, String conversation, long renderedSeq) {
        AckResult result = offer(device, conversation, renderedSeq, false).await(ErrorCode.OUTCOME_UNKNOWN);
        if (result instanceof AckResult.Acknowledged acknowledged) {
            return acknowledged.held();
        }
        throw new RefusedException(((AckResult.Refused) result).refusal());
    }

    /**
     * The cursor of a device. It is read in turn with the acknowledgements, so whoever has acknowledged sees it.
     *
     * @param device the device
     * @param conversation the conversation
     * @return completes like {@link #acknowledge}, with {@link Cursor#NONE} for a device that never acknowledged anything
     */
    public CompletionStage<AckResult> cursor(DeviceId device, String conversation) {
        // To have rendered nothing is true of every device and moves no cursor.
        return offer(device, conversation, 0, false);
    }

    /**
     * Puts a cursor anywhere, also back. This is for administrators, who are not asked for membership. The cursor's
     * generation is raised and acknowledgements of it that still wait are dropped, so that none of them undoes the reset,
     * however late it is written (H13); they are answered with the cursor as it is held then.
     *
     * @param device the device
     * @param conversation the conversation
     * @param seq where to put the cursor, 0 or more
     * @return completes on the executor for completions, never exceptionally
     */
    public CompletionStage<AckResult> reset(DeviceId device, String conversation, long seq) {
        return offer(device, conversation, seq, true);
    }

    /**
     * Takes no more calls, and writes what it has.
     *
     * @param deadline how long that may take. What is left then is answered truthfully: {@link ErrorCode#CLOSED} for what
     *     was still waiting, {@link ErrorCode#OUTCOME_UNKNOWN} for what the store has
     * @return completes when everything is answered. Calling again does no harm
     */
    public CompletionStage<Void> shutdown(Duration deadline) {
        CompletionStage<Void> idle = Shutdown.all(lanes.map(AckLane::close));
        return Shutdown.within(idle, deadline, threads.scheduler(), () -> lanes.forEach(AckLane::abandon));
    }

    private Reply<AckResult> offer(DeviceId device, String conversation, long seq, boolean reset) {
        Refusal invalid = judge(device, conversation, seq);
        if (invalid != null) {
            return Reply.of(new AckResult.Refused(invalid));
        }
        CursorKey key = device.in(conversation);
        AckLane lane = lanes.get(conversation, key.hashCode());
        return lane == null ? Reply.of(new AckResult.Refused(NO_PARTITION)) : lane.accept(new Ack(key, seq, reset));
    }

    private static @Nullable Refusal judge(DeviceId device, String conversation, long seq) {
        Refusal wrong = Ids.judge(device, conversation);
        if (wrong != null) {
            return wrong;
        }
        return seq < 0 ? Refusal.invalid("seq", "0 or more, was " + seq) : null;
    }
}
