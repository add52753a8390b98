package dev.tidemark.send;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Visibility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The step that authorizes: who may write to a conversation is asked right before the append, for a whole batch at once, so
 * that the answer is fresh and no caller waits for it (P9). Whoever is refused, be it as an outsider, by the host's rules or
 * for being too fast, gets the first receipt all the same if this is a known repeat, since its message is stored (P3). Safe
 * for use by many threads.
 */
final class Admission {

    /** A send that is not to be stored, unless it turns out that it is stored already. */
    private record Objection(Send send, SendResult.Refused refusal) {

        /** Whether there is a point in asking the store; not while nothing is known of the sender's right. */
        boolean isFirm() {
            return refusal.code() != ErrorCode.UNAVAILABLE;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

    private final ConversationDirectory directory;
    private final SendAuthorizer authorizer;
    private final Rate rate;
    private final MessageStore store;
    private final LongSupplier nanoTime;
    private final TidemarkListener listener;
    private final FaultLog directoryFaults;
    private final FaultLog authorizerFaults;
    private final FaultLog storeFaults;

    Admission(
            ConversationDirectory directory,
            SendAuthorizer authorizer,
            SendLimiter limiter,
            MessageStore store,
            Scheduler scheduler,
            TidemarkListener listener) {
        this.directory = directory;
        this.authorizer = authorizer;
        this.rate = new Rate(limiter, scheduler);
        this.store = store;
        this.nanoTime = scheduler::nanoTime;
        this.listener = listener;
        this.directoryFaults = new FaultLog(LOG, "the directory cannot say who may write", nanoTime);
        this.authorizerFaults = new FaultLog(LOG, "the authorizer cannot say who may write", nanoTime);
        this.storeFaults = new FaultLog(LOG, "the store cannot say which messages it knows", nanoTime);
    }

    /** Charges a sender for a send, which remembers it if it came too fast. */
    void charge(Send send) {
        rate.charge(send);
    }

    /** Takes back what a sender was charged for a send that turned out to cost nothing. */
    void refund(Send send) {
        rate.refund(send);
    }

    /** What to say of a send that came too fast. */
    SendResult.Refused tooFast(Send send) {
        return Answers.tooFast(send.draft(), rate.wait(send));
    }

    /**
     * Decides for the sends that are not to be stored.
     *
     * @param sends a batch; one whose outcome is unknown was admitted when the store first had it, and is not asked about
     * @param answers how to say no
     * @return the sends decided here
     */
    List<Send> check(List<Send> sends, Answers answers) {
        if (sends.isEmpty()) {
            return List.of();
        }
        long begin = nanoTime.getAsLong();
        List<Send> decided = admit(sends, answers);
        listener.batchAuthorized(sends.size(), decided.size(), Duration.ofNanos(nanoTime.getAsLong() - begin));
        return decided;
    }

    private List<Send> admit(List<Send> sends, Answers answers) {
        List<Objection> objections = new ArrayList<>(0);
        List<Send> asking = new ArrayList<>(sends.size());
        for (Send send : sends) {
            if (send.isTooFast()) {
                objections.add(new Objection(send, tooFast(send)));
            } else if (!send.isUnknown()) {
                asking.add(send);
            }
        }
        List<Send> members = members(asking, objections, answers);
        judge(members, objections, answers);
        return objections.isEmpty() ? List.of() : decide(objections, answers);
    }

    private List<Send> members(List<Send> asking, List<Objection> objections, Answers answers) {
        if (asking.isEmpty()) {
            return asking;
        }
        Set<MemberKey> keys = new HashSet<>();
        asking.forEach(send -> keys.add(memberKey(send)));
        Map<MemberKey, Visibility> visibility;
        try {
            visibility = directory.visibility(keys);
        } catch (Throwable e) {
            directoryFaults.report(
                    () -> keys.size() + " members, one of them "
                            + keys.iterator().next(),
                    e);
            asking.forEach(send -> objections.add(unavailable(send, answers)));
            return List.of();
        }
        List<Send> members = new ArrayList<>(asking.size());
        for (Send send : asking) {
            if (Objects.requireNonNullElse(visibility.get(memberKey(send)), Visibility.NONE)
                    .isMember()) {
                members.add(send);
            } else {
                objections.add(new Objection(
                        send,
                        answers.refused(
                                send.draft(),
                                ErrorCode.NOT_A_MEMBER,
                                "the sender is not a member of the conversation")));
            }
        }
        return members;
    }

    private void judge(List<Send> members, List<Objection> objections, Answers answers) {
        if (members.isEmpty()) {
            return;
        }
        List<@Nullable String> refusals;
        try {
            List<Draft> drafts = members.stream().map(Send::draft).toList();
            refusals = authorizer.refusals(drafts);
            if (!refusals.isEmpty() && refusals.size() != drafts.size()) {
                throw new IllegalStateException(
                        "the authorizer answered " + drafts.size() + " drafts with " + refusals.size() + " answers");
            }
        } catch (Throwable e) {
            authorizerFaults.report(
                    () -> members.size() + " messages, the first "
                            + members.get(0).draft().key(),
                    e);
            members.forEach(send -> objections.add(unavailable(send, answers)));
            return;
        }
        for (int i = 0; i < refusals.size(); i++) {
            String why = refusals.get(i);
            if (why != null) {
                Send send = members.get(i);
                objections.add(new Objection(send, answers.refused(send.draft(), ErrorCode.NOT_ALLOWED, why)));
            }
        }
    }

    private List<Send> decide(List<Objection> objections, Answers answers) {
        List<Objection> firm = objections.stream().filter(Objection::isFirm).toList();
        Map<MessageKey, Receipt> known = firm.isEmpty() ? Map.of() : known(firm);
        List<Send> decided = new ArrayList<>(objections.size());
        for (Objection objection : objections) {
            if (objection.send().decide(answer(objection, known, answers))) {
                decided.add(objection.send());
            }
        }
        return decided;
    }

    private SendResult answer(Objection objection, @Nullable Map<MessageKey, Receipt> known, Answers answers) {
        Send send = objection.send();
        if (known == null) {
            // Too fast is too fast, known or not; to the others it cannot be said that nothing of theirs is stored.
            return send.isTooFast()
                    ? objection.refusal()
                    : unavailable(send, answers).refusal();
        }
        Receipt receipt = objection.isFirm() ? known.get(send.draft().key()) : null;
        if (receipt == null) {
            return objection.refusal();
        }
        rate.refund(send);
        return Answers.of(send.draft(), receipt.answer(send.draft().bodyHash()));
    }

    /** Null when the store failed. */
    private @Nullable Map<MessageKey, Receipt> known(List<Objection> objections) {
        Set<MessageKey> keys = new HashSet<>();
        objections.forEach(objection -> keys.add(objection.send().draft().key()));
        try {
            return store.find(keys);
        } catch (Throwable e) {
            storeFaults.report(
                    () -> keys.size() + " messages, one of them "
                            + keys.iterator().next(),
                    e);
            return null;
        }
    }

    private static Objection unavailable(Send send, Answers answers) {
        return new Objection(send, answers.refused(send.draft(), ErrorCode.UNAVAILABLE));
    }

    private static MemberKey memberKey(Send send) {
        return new MemberKey(send.conversation(), send.draft().sender());
    }
}
