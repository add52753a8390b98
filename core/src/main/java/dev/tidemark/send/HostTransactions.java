package dev.tidemark.send;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.error.Refusal;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.TransactionalMessageStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages inside transactions that the host has opened: they are stored together with the host's own rows or not at
 * all (H36). Made by {@link SendPipeline#within}.
 *
 * <pre>{@code
 * HostTransactions<Connection> transactions = tidemark.sendPipeline().within(messageStore);
 *
 * // in the host's transaction, late in it
 * JoinedSends sends = transactions.sendWithin(connection, requests).orThrow();
 *
 * // when it has ended, for instance in a Spring TransactionSynchronization
 * public void afterCompletion(int status) {
 *     if (status == STATUS_ROLLED_BACK) sends.rolledBack();
 *     else sends.committed();
 * }
 * }</pre>
 *
 * <p><b>Locks.</b> The conversations of a call are locked in the order of their ids and without waiting: a send never waits
 * for a lock, and one whose conversation somebody else is writing to is refused. They stay locked from the call to the end
 * of the transaction, also when a savepoint before the call is rolled back to, on most databases. Meanwhile other sends to
 * them wait, on every node, to their deadline. So call once per transaction, with all messages, as its last step.
 *
 * <p><b>Connections.</b> A call runs on the caller's thread and on the caller's transaction. Before that, one after the
 * other, the directory is asked, and conversations are created that nobody has written to yet; with a store over the same
 * pool the caller needs a second connection for that. The directory does not see what the transaction has written, unless it
 * takes part in the transactions of the calling thread by itself.
 *
 * <p><b>Order.</b> What follows the commit begins when the host says so, which may be after a later message of the
 * conversation was pushed: devices hold what comes early and fetch what is missing.
 *
 * <p>Safe for use by many threads, on a transaction each.
 *
 * @param <T> the host's transaction
 */
public final class HostTransactions<T> {

    private final TransactionalMessageStore<T> store;
    private final Validation validation;
    private final Admission admission;
    private final JoinedLane lane;
    private final Supplier<@Nullable Refusal> closed;

    /**
     * Creates it.
     *
     * @param closed says no while the pipeline is not running; null while it is
     */
    HostTransactions(
            TransactionalMessageStore<T> store,
            Validation validation,
            Admission admission,
            JoinedLane lane,
            Supplier<@Nullable Refusal> closed) {
        this.store = store;
        this.validation = validation;
        this.admission = admission;
        this.lane = lane;
        this.closed = closed;
    }

    /**
     * Sends messages inside a transaction, all of them or none: when one is refused, nothing of the call is left in the
     * transaction, which goes on being usable. Whether it is then committed without them is the host's to decide. Blocks,
     * and tries nothing twice; timeouts of the requests do not matter.
     *
     * <p>No sequence is given out before the commit, since it might be another one's in the end.
     *
     * @param transaction an open transaction, for instance a {@code java.sql.Connection} with autocommit off; stays the
     *     caller's
     * @param requests the messages, any number, of any conversations; within a conversation they keep their order
     * @return says what was refused, and takes the word that the transaction has ended
     * @throws InvalidInputException naming {@code transaction} or {@code requests}; nothing happened then
     * @throws dev.tidemark.storage.StorageException on a fault, deadlocks included; nothing of the call is left in the
     *     transaction, but the database may have rolled back all of it: roll it back and, if at all, begin anew
     */
    public JoinedSends sendWithin(T transaction, List<SendRequest> requests) {
        check("transaction", transaction);
        check("requests", requests);
        List<Send> sends = new ArrayList<>(requests.size());
        SortedMap<Integer, Refusal> refusals = validate(requests, sends);
        if (refusals.isEmpty()) {
            sends.forEach(admission::charge);
            authorize(sends, refusals);
        }
        List<AppendResult> results = List.of();
        if (refusals.isEmpty()) {
            results = append(transaction, sends, refusals);
        }
        if (!refusals.isEmpty()) {
            sends.forEach(admission::refund);
            refusals.forEach((index, refusal) -> lane.count(requests.get(index), refusal));
            return JoinedSends.refused(lane, requests.size(), refusals);
        }
        return JoinedSends.accepted(lane, sends, results);
    }

    private SortedMap<Integer, Refusal> validate(List<SendRequest> requests, List<Send> sends) {
        SortedMap<Integer, Refusal> refusals = new TreeMap<>();
        Refusal refusal = closed.get();
        for (int i = 0; i < requests.size(); i++) {
            SendRequest request = requests.get(i);
            Refusal no = refusal == null ? validation.judge(request) : refusal;
            if (no == null) {
                sends.add(new Send(request, 0, 0));
            } else {
                refusals.put(i, no);
            }
        }
        return refusals;
    }

    private void authorize(List<Send> sends, SortedMap<Integer, Refusal> refusals) {
        admission.check(sends, lane.answers());
        for (int i = 0; i < sends.size(); i++) {
            // A known repeat by somebody who has left is decided, too, and no refusal: the store knows it as well (P3).
            if (sends.get(i).decision() instanceof SendResult.Refused refused) {
                refusals.put(i, refused.refusal());
            }
        }
    }

    private List<AppendResult> append(T transaction, List<Send> sends, SortedMap<Integer, Refusal> refusals) {
        List<Draft> drafts = sends.stream().map(Send::draft).toList();
        List<AppendResult> results = store.appendAllWithin(transaction, drafts);
        Appender.check(drafts, results);
        for (int i = 0; i < results.size(); i++) {
            SendResult answer = answer(drafts.get(i), results.get(i));
            if (answer instanceof SendResult.Refused refused) {
                refusals.put(i, refused.refusal());
            }
        }
        if (refusals.isEmpty()) {
            refundRepeats(sends, results);
        }
        return results;
    }

    private void refundRepeats(List<Send> sends, List<AppendResult> results) {
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof AppendResult.Duplicate
                    && !sends.get(i).isDecided()) {
                admission.refund(sends.get(i));
            }
        }
    }

    private SendResult answer(Draft draft, AppendResult result) {
        return result instanceof AppendResult.Deferred
                ? lane.answers()
                        .refused(
                                draft,
                                ErrorCode.OVERLOADED,
                                "somebody else is writing to the conversation; nothing was done")
                : Answers.of(draft, result);
    }

    private static void check(String field, @Nullable Object value) {
        if (value == null) {
            throw new InvalidInputException(field, "something, was null");
        }
    }
}
