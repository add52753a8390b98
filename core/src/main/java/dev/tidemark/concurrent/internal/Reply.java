package dev.tidemark.concurrent.internal;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.error.RefusedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The stage a caller waits on. Deciding the answer and delivering it are two steps: the answer is decided where the work is
 * done, and delivered, which runs the host's callbacks, elsewhere and in bulk (see {@link Replies}). The first decision
 * stands.
 *
 * @param <T> the answer
 */
public class Reply<T> extends CompletableFuture<T> {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Reply, Object> ANSWER =
            AtomicReferenceFieldUpdater.newUpdater(Reply.class, Object.class, "answer");

    private volatile @Nullable Object answer;

    /** A reply without an answer. */
    public Reply() {}

    /** A reply that is decided and delivered. */
    public static <T> Reply<T> of(T answer) {
        Reply<T> reply = new Reply<>();
        reply.decide(answer);
        reply.deliver();
        return reply;
    }

    /**
     * Decides the answer, without telling the caller yet.
     *
     * @return whether this decided it; false when it was decided before
     */
    public final boolean decide(T decision) {
        return ANSWER.compareAndSet(this, null, decision);
    }

    /** Whether the answer is decided, delivered or not. */
    public final boolean isDecided() {
        return answer != null;
    }

    /** The answer that was decided; null when none was yet. */
    @SuppressWarnings("unchecked")
    public final @Nullable T decision() {
        return (T) answer;
    }

    /** Tells the caller the answer that was decided; runs what the caller attached. */
    @SuppressWarnings("unchecked")
    final void deliver() {
        complete((T) answer);
    }

    /**
     * Waits until the answer is delivered.
     *
     * @throws RefusedException with the given retryable code when the thread is interrupted, which it still is then
     */
    public final T await(ErrorCode ifInterrupted) {
        try {
            return get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(Refusal.of(ifInterrupted, "interrupted while waiting for the answer"));
        } catch (ExecutionException e) {
            throw new IllegalStateException("a reply has an answer, never an exception", e);
        }
    }

    /** A copy: what a host completes or cancels by itself stays the host's, and the answer is not lost to others. */
    @Override
    public final CompletableFuture<T> toCompletableFuture() {
        return copy();
    }
}
