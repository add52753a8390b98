package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.internal.Shutdown;
import dev.tidemark.concurrent.internal.Spread;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.Session;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pushes stored messages to the connected devices of those they concern, best effort (P4): asynchronous, bounded, first in
 * first out per conversation and recipient. It drops and counts what it cannot take, and never blocks, slows or fails a
 * send.
 *
 * <p>Two stages of lanes: the {@linkplain FanOut fan-out lanes}, one for each conversation, look up recipients and sessions;
 * the {@linkplain PushLane push lanes}, one for each pair of recipient and conversation, call the transport.
 *
 * <p>Safe for use by many threads. It takes messages from {@link #start()} to {@link #shutdown(Duration)}.
 */
public final class PushService implements Pusher {

    private final Scheduler scheduler;
    private final List<FanOut> fanOuts;
    private final List<PushLane> lanes;

    /**
     * Creates the service.
     *
     * @param directory says who the members of a conversation are
     * @param presence says which of their devices are connected
     * @param transport the way to those
     * @param policy how much is pushed at once and how much may wait
     * @param executor runs both stages. With {@link PushPolicy#threads()} threads a blocked transport holds up its own lane
     *     only; with fewer, so many blocked lanes hold up all the others
     * @param scheduler the time of shutting down
     * @param listener told of what happens
     */
    public PushService(
            ConversationDirectory directory,
            Presence presence,
            Transport transport,
            PushPolicy policy,
            Executor executor,
            Scheduler scheduler,
            TidemarkListener listener) {
        this.scheduler = scheduler;
        TidemarkListener contained = TidemarkListener.contained(listener, scheduler::nanoTime);
        this.lanes = IntStream.range(0, policy.lanes())
                .mapToObj(number -> new PushLane(transport, policy.laneCapacity(), executor, scheduler, contained))
                .toList();
        this.fanOuts = IntStream.range(0, policy.fanOutLanes())
                .mapToObj(number -> new FanOut(
                        new Recipients(directory, presence, contained, this::deliver, scheduler::nanoTime),
                        policy.fanOutCapacity(),
                        executor,
                        scheduler,
                        contained))
                .toList();
    }

    /** Takes messages from now on. Starts no thread. */
    public void start() {
        lanes.forEach(PushLane::open);
        fanOuts.forEach(FanOut::open);
    }

    @Override
    public void push(StoredMessage message, @Nullable String fromDevice) {
        int number = Spread.over(message.conversation().hashCode(), fanOuts.size());
        fanOuts.get(number).offer(new Announcement(new Push(message), fromDevice));
    }

    /**
     * Takes no more messages, and pushes those it has.
     *
     * @param deadline how long that may take; what is left then is dropped and counted
     * @return completes when nothing is left. A transport that blocks is not waited for beyond the deadline. Calling again
     *     does no harm
     */
    public CompletionStage<Void> shutdown(Duration deadline) {
        CompletionStage<Void> idle = Shutdown.all(
                        fanOuts.stream().map(FanOut::close).toList())
                .thenCompose(nothing ->
                        Shutdown.all(lanes.stream().map(PushLane::close).toList()));
        return Shutdown.within(idle, deadline, scheduler, this::abandon);
    }

    private void abandon() {
        fanOuts.forEach(FanOut::abandon);
        lanes.forEach(PushLane::close);
        lanes.forEach(PushLane::abandon);
    }

    private void deliver(Session session, Push push) {
        int hash = 31 * session.device().user().hashCode()
                + push.message().conversation().hashCode();
        lanes.get(Spread.over(hash, lanes.size())).offer(session, push);
    }
}
