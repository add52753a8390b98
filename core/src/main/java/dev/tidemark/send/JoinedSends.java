package dev.tidemark.send;

import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.error.RefusedException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have joined a transaction of the host's, or were refused. Once the transaction has ended the host says how:
 * the first word, {@link #committed()} or {@link #rolledBack()}, stands. A host that says neither loses nothing but the
 * pushes and the results: no timer and no thread waits for it, and devices find what was committed by their next fetch.
 *
 * <p>Safe for use by many threads.
 */
public final class JoinedSends {

    private final JoinedLane lane;
    private final List<Send> sends;

    /** What the store answered inside the transaction: true only if that was committed. */
    private final List<AppendResult> joined;

    private final SortedMap<Integer, Refusal> refusals;
    private final Reply<List<SendResult>> results;
    private final AtomicBoolean ended = new AtomicBoolean();

    private JoinedSends(
            JoinedLane lane,
            List<Send> sends,
            List<AppendResult> joined,
            SortedMap<Integer, Refusal> refusals,
            Reply<List<SendResult>> results) {
        this.lane = lane;
        this.sends = List.copyOf(sends);
        this.joined = List.copyOf(joined);
        this.refusals = refusals;
        this.results = results;
    }

    static JoinedSends accepted(JoinedLane lane, List<Send> sends, List<AppendResult> joined) {
        return new JoinedSends(
                lane,
                sends,
                joined,
                Collections.emptySortedMap(),
                sends.isEmpty() ? Reply.of(List.of()) : new Reply<>());
    }

    /** Of so many requests these were refused, and the others with them. */
    static JoinedSends refused(JoinedLane lane, int requests, SortedMap<Integer, Refusal> refusals) {
        Refusal others = lane.withdrawn("other messages of the same call were refused; nothing was stored");
        List<SendResult> answers = IntStream.range(0, requests)
                .<SendResult>mapToObj(i -> new SendResult.Refused(refusals.getOrDefault(i, others)))
                .toList();
        return new JoinedSends(
                lane,
                List.of(),
                List.of(),
                Collections.unmodifiableSortedMap(new TreeMap<>(refusals)),
                Reply.of(answers));
    }

    /** Whether the messages have joined the transaction; otherwise nothing of them is in it. */
    public boolean isAccepted() {
        return refusals.isEmpty();
    }

    /**
     * Why the messages did not join the transaction, by the index of each request that was at fault; empty when they did. A
     * conversation that somebody else is writing to is {@link ErrorCode#OVERLOADED}.
     */
    public SortedMap<Integer, Refusal> refusals() {
        return refusals;
    }

    /**
     * These sends, if they were accepted: for hosts that roll back on an exception.
     *
     * @throws RefusedException with the first of the {@link #refusals()}
     */
    public JoinedSends orThrow() {
        if (!isAccepted()) {
            throw new RefusedException(Objects.requireNonNull(refusals.get(refusals.firstKey())));
        }
        return this;
    }

    /**
     * What became of each request, in their order. Completes on the executor for completions, never exceptionally, after
     * the host has said how the transaction ended; at once when the sends were refused. The requests that were not at fault
     * then, and all of them after {@link #rolledBack()}, are {@link ErrorCode#ROLLED_BACK}.
     */
    public CompletionStage<List<SendResult>> results() {
        return results;
    }

    /**
     * To be called when the transaction was committed, or may have been: looks for the messages in the store, elsewhere, and
     * indexes and pushes those that are there. Does not block. The host's word is not taken for it: what is not there, since
     * a savepoint was rolled back to or the call came too early, is {@link ErrorCode#OUTCOME_UNKNOWN} and is not pushed;
     * nor is anything when the store cannot be asked. A repeat under the same message id gets the truth.
     *
     * @return {@link #results()}
     */
    public CompletionStage<List<SendResult>> committed() {
        if (!results.isDecided() && ended.compareAndSet(false, true)) {
            lane.committed(this);
        }
        return results;
    }

    /** To be called when the transaction was rolled back: forgets the messages. Does not block. */
    public void rolledBack() {
        if (!results.isDecided() && ended.compareAndSet(false, true)) {
            Refusal no = lane.withdrawn("the transaction it had joined was rolled back; nothing was stored");
            answer(sends.stream()
                    .<SendResult>map(send -> new SendResult.Refused(no))
                    .toList());
        }
    }

    List<Send> sends() {
        return sends;
    }

    /** What the store says of each message now, null where it knows none. */
    List<@Nullable AppendResult> match(Map<MessageKey, Receipt> found) {
        List<@Nullable AppendResult> matched = new ArrayList<>(sends.size());
        for (int i = 0; i < sends.size(); i++) {
            Receipt receipt = found.get(sends.get(i).draft().key());
            matched.add(receipt == null ? null : match(sends.get(i), receipt, joined.get(i)));
        }
        return matched;
    }

    /** By now it may be the row of somebody who came after a savepoint was rolled back to. */
    private static AppendResult match(Send send, Receipt receipt, AppendResult joined) {
        AppendResult answer = receipt.answer(send.draft().bodyHash());
        boolean isOurs = answer instanceof AppendResult.Duplicate
                && joined.equals(new AppendResult.Appended(receipt.seq(), receipt.storedAt()));
        return isOurs ? joined : answer;
    }

    /** Tells the host; the first answer stands. */
    void answer(List<SendResult> answers) {
        if (results.decide(answers)) {
            lane.tell(sends, answers, results);
        }
    }
}
