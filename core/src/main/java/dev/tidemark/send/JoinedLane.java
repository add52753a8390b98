package dev.tidemark.send;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.concurrent.internal.Replies;
import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.concurrent.internal.Turn;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The way of joined sends after their transactions: looks them up, all that have come since the last turn at once, and passes
 * on what is there. One at a time, so that messages of a conversation are passed on in the order of commits as far as the
 * hosts' words come in it.
 */
final class JoinedLane implements Turn {

    private static final int TRANSACTIONS_PER_TURN = 64;

    /** A message that is stored, and what the store says of it. */
    private record Found(Send send, AppendResult result, long seq) {

        String conversation() {
            return send.conversation();
        }
    }

    private final MessageStore store;
    private final AfterStore afterStore;
    private final TidemarkListener listener;
    private final Mailbox<JoinedSends> mailbox;
    private final Answers answers;
    private final Replies replies;
    private final FaultLog faults;

    private volatile List<JoinedSends> inHands = List.of();
    private volatile boolean abandoned;

    JoinedLane(
            MessageStore store,
            AfterStore afterStore,
            Governor governor,
            int capacity,
            Threads threads,
            TidemarkListener listener) {
        this.store = store;
        this.afterStore = afterStore;
        this.listener = listener;
        this.mailbox = new Mailbox<>(capacity, threads.storeExecutor(), threads.scheduler(), this);
        this.replies = new Replies(threads.completeOn());
        this.answers = new Answers(
                new RetryHint(threads.scheduler(), governor),
                mailbox::size,
                replies,
                threads.scheduler()::nanoTime,
                listener);
        this.faults = new FaultLog(
                LoggerFactory.getLogger(HostTransactions.class),
                "the store cannot say what the hosts' transactions have committed; nothing of it is pushed",
                threads.scheduler()::nanoTime);
    }

    void open() {
        mailbox.open();
    }

    Answers answers() {
        return answers;
    }

    /** Says that messages were taken back through no fault of their own. */
    Refusal withdrawn(String detail) {
        return Refusal.retryable(ErrorCode.ROLLED_BACK, detail, answers.retryAfter());
    }

    /** Counts the refusal of a request. */
    void count(@Nullable SendRequest request, Refusal refusal) {
        String conversation = request == null ? null : request.conversation();
        answers.count(Objects.requireNonNullElse(conversation, ""), new SendResult.Refused(refusal));
    }

    /** The transaction of these sends has been committed, as far as its host knows. */
    void committed(JoinedSends sends) {
        if (mailbox.offer(sends) != Mailbox.Offer.TAKEN) {
            answerUnknown(sends);
        }
    }

    /** Delivers results that are decided. */
    void tell(List<Send> sends, List<SendResult> results, Reply<List<SendResult>> reply) {
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof SendResult.Refused refused) {
                answers.count(sends.get(i).conversation(), refused);
            }
        }
        replies.deliver(List.of(reply));
    }

    @Override
    public @Nullable Duration take() {
        List<JoinedSends> ended = mailbox.poll(TRANSACTIONS_PER_TURN);
        if (ended.isEmpty()) {
            return null;
        }
        inHands = ended;
        if (abandoned) {
            ended.forEach(this::answerUnknown);
        } else {
            settle(ended);
        }
        inHands = List.of();
        mailbox.leave(ended.size());
        return mailbox.isEmpty() ? null : Duration.ZERO;
    }

    /** No thread, and nobody to wait for one. */
    @Override
    public @Nullable Duration refused(Throwable refusal) {
        giveUp();
        return null;
    }

    CompletionStage<Void> close() {
        return mailbox.close();
    }

    /** Answers everybody who is left. */
    void abandon() {
        // Either this sees what the turn under way has taken, or that turn sees this.
        abandoned = true;
        inHands.forEach(this::answerUnknown);
        giveUp();
    }

    private void giveUp() {
        List<JoinedSends> left = mailbox.poll(Integer.MAX_VALUE);
        left.forEach(this::answerUnknown);
        mailbox.leave(left.size());
    }

    private void settle(List<JoinedSends> ended) {
        Map<MessageKey, Receipt> receipts = find(ended);
        if (receipts == null) {
            ended.forEach(this::answerUnknown);
            return;
        }
        List<Found> found = new ArrayList<>();
        for (JoinedSends sends : ended) {
            settle(sends, sends.match(receipts), receipts, found);
        }
        found.sort(Comparator.comparing(Found::conversation).thenComparingLong(Found::seq));
        afterStore.accept(
                found.stream().map(Found::send).toList(),
                found.stream().map(Found::result).toList());
    }

    private void settle(
            JoinedSends joined,
            List<@Nullable AppendResult> results,
            Map<MessageKey, Receipt> receipts,
            List<Found> found) {
        List<SendResult> told = new ArrayList<>(results.size());
        int before = found.size();
        for (int i = 0; i < results.size(); i++) {
            Send send = joined.sends().get(i);
            AppendResult result = results.get(i);
            told.add(result == null ? notFound(send.draft()) : Answers.of(send.draft(), result));
            Receipt receipt = receipts.get(send.draft().key());
            if (receipt != null && result != null && result.isStored()) {
                found.add(new Found(send, result, receipt.seq()));
            }
        }
        listener.joinedSettled(results.size(), found.size() - before);
        joined.answer(told);
    }

    /** Null when the store failed. */
    private @Nullable Map<MessageKey, Receipt> find(List<JoinedSends> ended) {
        List<MessageKey> keys = ended.stream()
                .flatMap(sends -> sends.sends().stream())
                .map(send -> send.draft().key())
                .toList();
        try {
            return store.find(keys);
        } catch (Throwable e) {
            faults.report(() -> keys.size() + " messages, the first " + keys.get(0), e);
            return null;
        }
    }

    private SendResult notFound(Draft draft) {
        return answers.refused(
                draft,
                ErrorCode.OUTCOME_UNKNOWN,
                "not found after the host's commit, so it was rolled back, to a savepoint at least, or has not ended yet");
    }

    private void answerUnknown(JoinedSends joined) {
        joined.answer(joined.sends().stream()
                .<SendResult>map(send -> answers.refused(send.draft(), ErrorCode.OUTCOME_UNKNOWN))
                .toList());
    }
}
