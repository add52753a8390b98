package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.internal.Shutdown;
import dev.tidemark.concurrent.internal.Spread;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.error.Refusal;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * Pushes stored messages to the connected devices of those they concern, best effort (P4): asynchronous, bounded, first in
 * first out per conversation and recipient. It never blocks, slows or fails a send; what it cannot take it drops and counts,
 * and tells the devices to sync.
 *
 * <p>Two stages of lanes: the {@linkplain FanOut fan-out lanes}, one for each conversation, look up recipients and sessions;
 * the {@linkplain PushLane push lanes}, one for each pair of recipient and conversation, call the transport. A push that its
 * device does not {@linkplain #acknowledge acknowledge} is made again as the {@link RetryPolicy} says. All of this is in memory:
 * what a crash loses, the devices get by syncing.
 *
 * <p>Safe for use by many threads. It takes messages from {@link #start()} to {@link #shutdown(Duration)}.
 */
public final class PushService implements Pusher {

    private final Scheduler scheduler;
    private final AckTracker tracker;
    private final RecentMessages recent;
    private final RetryPolicy retry;
    private final TidemarkListener listener;
    private final Presence presence;
    private final List<FanOut> fanOuts;
    private final List<PushLane> lanes;

    PushService(PushServiceBuilder parts) {
        PushPolicy policy = parts.policy;
        this.scheduler = parts.scheduler;
        this.retry = parts.retry;
        this.listener = TidemarkListener.contained(parts.listener, scheduler::nanoTime);
        this.recent = new RecentMessages(policy.recentBytes());
        this.tracker = new AckTracker(retry, policy.maxPending(), scheduler, new Unacknowledged(), listener);
        this.presence = new TrackedPresence(parts.presence, tracker);
        this.lanes = IntStream.range(0, policy.lanes())
                .mapToObj(number -> new PushLane(
                        parts.transport, policy.laneCapacity(), tracker, parts.executor, scheduler, listener))
                .toList();
        this.fanOuts = IntStream.range(0, policy.fanOutLanes())
                .mapToObj(number -> new FanOut(recipients(parts), policy, parts.executor, scheduler, listener))
                .toList();
    }

    /**
     * Begins to put a service together.
     *
     * @param directory says who the members of a conversation are
     * @param presence says which of their devices are connected
     * @param transport the way to those
     * @param executor runs both stages. With {@link PushPolicy#threads()} threads a blocked transport holds up its own lane
     *     only; with fewer, so many blocked lanes hold up all the others
     * @param scheduler the time of tries and of shutting down
     */
    public static PushServiceBuilder over(
            ConversationDirectory directory,
            Presence presence,
            Transport transport,
            Executor executor,
            Scheduler scheduler) {
        return new PushServiceBuilder(directory, presence, transport, executor, scheduler);
    }

    /** Takes messages from now on. Starts no thread. */
    public void start() {
        lanes.forEach(PushLane::open);
        fanOuts.forEach(FanOut::open);
    }

    @Override
    public void push(Announcement announcement) {
        int number = Spread.over(announcement.conversation().hashCode(), fanOuts.size());
        fanOuts.get(number).offer(announcement);
    }

    /**
     * Takes a device's word that it has a pushed message in its own store, whatever sort of delivery it was; that it was
     * rendered, the cursor says. The message is not pushed to the device again. A second word, or one about a message that
     * nobody waits for, is taken in silence (H26). Returns at once.
     *
     * @param device the device; the host has made sure that it is this device
     * @param conversation the message's conversation
     * @param seq the message's sequence, 1 or more
     * @throws InvalidInputException naming {@code device}, {@code user}, {@code conversation} or {@code seq}
     */
    public void acknowledge(DeviceId device, String conversation, long seq) {
        Refusal wrong = Ids.judge(device, conversation);
        if (wrong != null) {
            throw new InvalidInputException(String.valueOf(wrong.field()), wrong.detail());
        }
        if (seq < 1) {
            throw new InvalidInputException("seq", "1 or more, was " + seq);
        }
        tracker.acknowledged(device, conversation, seq);
    }

    /**
     * A device has rendered a conversation up to a sequence, so it needs no more pushes of that. The cursor manager says so
     * of itself where {@link dev.tidemark.Tidemark} put both together.
     */
    public void rendered(DeviceId device, String conversation, long upTo) {
        tracker.rendered(device, conversation, upTo);
    }

    /**
     * The presence this service was given. It is the same but for one thing: a session that ends here, or is taken over by a
     * newer one, ends the waiting for its acknowledgements. Hosts connect and disconnect through it.
     */
    public Presence presence() {
        return presence;
    }

    /** How many pushes wait for their acknowledgement. */
    public int pending() {
        return tracker.size();
    }

    /**
     * Takes no more messages, and pushes those it has; for acknowledgements it does not wait.
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
        return Shutdown.within(idle, deadline, scheduler, this::abandon).thenRun(this::abandon);
    }

    private void abandon() {
        tracker.clear();
        fanOuts.forEach(FanOut::abandon);
        lanes.forEach(PushLane::close);
        lanes.forEach(PushLane::abandon);
    }

    private Recipients recipients(PushServiceBuilder parts) {
        return new Recipients(
                parts.directory,
                parts.presence,
                parts.offline,
                parts.policy.largeGroup(),
                listener,
                new Found(),
                scheduler::nanoTime);
    }

    private PushLane lane(Session session, String conversation) {
        int hash = 31 * session.device().user().hashCode() + conversation.hashCode();
        return lanes.get(Spread.over(hash, lanes.size()));
    }

    private final class Found implements Recipients.Sink {

        @Override
        public void push(Session session, Push.Message push) {
            if (!retry.delays(push.delivery()).isEmpty()) {
                recent.add(push);
            }
            lane(session, push.message().conversation()).offer(session, push);
        }

        @Override
        public void notify(Session session, String conversation, long upTo) {
            lane(session, conversation).notice(session, conversation, upTo);
        }
    }

    private final class Unacknowledged implements AckTracker.Unacknowledged {

        @Override
        public void retry(Pending pending) {
            Push.Message push = recent.get(pending.conversation(), pending.seq());
            PushLane lane = lane(pending.session(), pending.conversation());
            listener.pushRetried(pending.session(), pending.conversation(), pending.seq(), pending.tries() + 1);
            if (push == null) {
                lane.notice(pending.session(), pending.conversation(), pending.seq());
                tracker.tried(pending);
            } else {
                lane.retry(pending, push);
            }
        }

        @Override
        public void giveUp(Pending pending) {
            lane(pending.session(), pending.conversation())
                    .notice(pending.session(), pending.conversation(), pending.seq());
        }
    }
}
