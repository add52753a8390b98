package dev.tidemark.cursor;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.concurrent.internal.Replies;
import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.concurrent.internal.Turn;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.listener.TidemarkListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Acknowledgements that gather while the last burst is written, to be written together. */
final class AckLane implements Turn {

    private final AckWriter writer;
    private final Rendered rendered;
    private final int maxBatch;
    private final Scheduler scheduler;
    private final TidemarkListener listener;
    private final Replies replies;
    private final Mailbox<Ack> mailbox;

    /** What the stores have; read when the lane is abandoned. */
    private volatile List<Ack> inHand = List.of();

    AckLane(AckWriter writer, CursorPolicy policy, Rendered rendered, Threads threads, TidemarkListener listener) {
        this.writer = writer;
        this.rendered = rendered;
        this.maxBatch = policy.maxBatch();
        this.scheduler = threads.scheduler();
        this.listener = listener;
        this.replies = new Replies(threads.completeOn());
        this.mailbox = new Mailbox<>(policy.queueCapacity(), threads.storeExecutor(), scheduler, this);
    }

    void open() {
        mailbox.open();
    }

    Reply<AckResult> accept(Ack ack) {
        return switch (mailbox.offer(ack)) {
            case TAKEN -> ack;
            case FULL -> Reply.of(refused(ErrorCode.OVERLOADED, "too many acknowledgements are waiting"));
            case CLOSED -> Reply.of(refused(ErrorCode.CLOSED, "this instance is not running"));
        };
    }

    @Override
    public @Nullable Duration take() {
        List<Ack> burst = mailbox.poll(maxBatch);
        if (!burst.isEmpty()) {
            inHand = burst;
            long begin = scheduler.nanoTime();
            int moved = writer.settle(burst);
            listener.acknowledged(burst.size(), moved, Duration.ofNanos(scheduler.nanoTime() - begin));
            inHand = List.of();
            tellRendered(burst);
            replies.deliver(burst);
            mailbox.leave(burst.size());
        }
        return mailbox.isEmpty() ? null : Duration.ZERO;
    }

    @Override
    public @Nullable Duration refused(Throwable refusal) {
        refuseAll(ErrorCode.OVERLOADED, "no thread to write on");
        return null;
    }

    CompletionStage<Void> close() {
        return mailbox.close();
    }

    void abandon() {
        AckResult unknown = refused(ErrorCode.OUTCOME_UNKNOWN, "this instance is shutting down");
        List<Ack> left = inHand.stream().filter(ack -> ack.decide(unknown)).toList();
        replies.deliver(left);
        refuseAll(ErrorCode.CLOSED, "this instance is shutting down");
    }

    /** A stale word is as true as any other. */
    private void tellRendered(List<Ack> burst) {
        for (Ack ack : burst) {
            if (ack.seq() > 0 && !ack.isReset() && ack.decision() instanceof AckResult.Acknowledged) {
                rendered.rendered(ack.key().owner(), ack.key().conversation(), ack.seq());
            }
        }
    }

    private void refuseAll(ErrorCode code, String detail) {
        List<Ack> waiting = mailbox.poll(Integer.MAX_VALUE);
        AckResult refused = refused(code, detail);
        waiting.forEach(ack -> ack.decide(refused));
        replies.deliver(waiting);
        mailbox.leave(waiting.size());
    }

    private AckResult refused(ErrorCode code, String detail) {
        Duration retryAfter = Duration.ofMillis(200).multipliedBy(1 + mailbox.size() / maxBatch);
        return new AckResult.Refused(Refusal.retryable(code, detail, retryAfter));
    }
}
