package dev.tidemark.send;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Visibility;
import java.util.ArrayList;
import java.util.Arrays;
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
 * that the answer is fresh and no caller waits for it (P9). A known repeat is answered all the same, member or not, since
 * its message is stored (P3). Safe for use by many threads.
 */
final class Membership {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private final ConversationDirectory directory;
    private final MessageStore store;
    private final FaultLog directoryFaults;
    private final FaultLog storeFaults;

    Membership(ConversationDirectory directory, MessageStore store, LongSupplier nanoTime) {
        this.directory = directory;
        this.store = store;
        this.directoryFaults = new FaultLog(LOG, "the directory cannot say who may write", nanoTime);
        this.storeFaults = new FaultLog(LOG, "the store cannot say which messages it knows", nanoTime);
    }

    /**
     * Decides for the sends of those who may not write.
     *
     * @param sends a batch; one whose outcome is unknown was authorized when the store first had it, and is not asked about
     * @param answers how to say no
     * @return the sends decided here
     */
    List<Send> check(List<Send> sends, Answers answers) {
        @Nullable MemberKey[] keys = new MemberKey[sends.size()];
        for (int i = 0; i < keys.length; i++) {
            Send send = sends.get(i);
            keys[i] = send.isUnknown()
                    ? null
                    : new MemberKey(send.conversation(), send.draft().sender());
        }
        Set<MemberKey> asked = new HashSet<>(Arrays.asList(keys));
        asked.remove(null);
        Map<MemberKey, Visibility> visibility = asked.isEmpty() ? Map.of() : visibility(asked);
        List<Send> outsiders = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != null && !isMember(visibility, keys[i])) {
                outsiders.add(sends.get(i));
            }
        }
        if (!outsiders.isEmpty()) {
            Map<MessageKey, Receipt> known = visibility == null ? null : known(outsiders);
            outsiders.removeIf(send -> !send.decide(answer(send, known, answers)));
        }
        return outsiders;
    }

    private static boolean isMember(@Nullable Map<MemberKey, Visibility> visibility, MemberKey key) {
        return visibility != null
                && Objects.requireNonNullElse(visibility.get(key), Visibility.NONE)
                        .isMember();
    }

    private static SendResult answer(Send outsider, @Nullable Map<MessageKey, Receipt> known, Answers answers) {
        if (known == null) {
            return answers.refused(outsider.draft(), ErrorCode.UNAVAILABLE);
        }
        Receipt receipt = known.get(outsider.draft().key());
        return receipt == null
                ? Answers.notAMember(outsider.draft())
                : Answers.of(outsider.draft(), receipt.answer(outsider.draft().bodyHash()));
    }

    /** Null when the directory failed. */
    private @Nullable Map<MemberKey, Visibility> visibility(Set<MemberKey> asked) {
        try {
            return directory.visibility(asked);
        } catch (Throwable e) {
            directoryFaults.report(
                    () -> asked.size() + " members, one of them "
                            + asked.iterator().next(),
                    e);
            return null;
        }
    }

    /** Null when the store failed. */
    private @Nullable Map<MessageKey, Receipt> known(List<Send> outsiders) {
        try {
            return store.find(outsiders.stream().map(send -> send.draft().key()).toList());
        } catch (Throwable e) {
            storeFaults.report(
                    () -> outsiders.size() + " messages, the first "
                            + outsiders.get(0).draft().key(),
                    e);
            return null;
        }
    }
}
