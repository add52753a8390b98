package dev.tidemark.inbox;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.Mailbox;
import dev.tidemark.concurrent.internal.Turn;
import dev.tidemark.listener.IndexDrop;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Messages that wait to be put into lists, those of a conversation always in the same lane. A turn takes what has gathered
 * and writes it in one call. What fails is not tried again: the counters find out by themselves (H8).
 */
final class IndexLane implements Turn {

    private final InboxStore store;
    private final ConversationDirectory directory;
    private final Preview preview;
    private final InboxPolicy policy;
    private final Threads threads;
    private final TidemarkListener listener;
    private final Mailbox<StoredMessage> mailbox;
    private final FaultLog faults;

    IndexLane(
            InboxStore store,
            ConversationDirectory directory,
            Preview preview,
            InboxPolicy policy,
            Threads threads,
            TidemarkListener listener) {
        this.store = store;
        this.directory = directory;
        this.preview = preview;
        this.policy = policy;
        this.threads = threads;
        this.listener = listener;
        this.mailbox = new Mailbox<>(policy.queueCapacity(), threads.storeExecutor(), threads.scheduler(), this);
        this.faults = new FaultLog(
                LoggerFactory.getLogger(InboxService.class),
                "messages could not be put into conversation lists; these are mended when they are read",
                threads.scheduler()::nanoTime);
    }

    void open() {
        mailbox.open();
    }

    void offer(StoredMessage message) {
        switch (mailbox.offer(message)) {
            case TAKEN -> {}
            case FULL -> listener.notIndexed(message.conversation(), 1, IndexDrop.LANE_FULL);
            case CLOSED -> listener.notIndexed(message.conversation(), 1, IndexDrop.CLOSED);
        }
    }

    @Override
    public @Nullable Duration take() {
        List<StoredMessage> batch = mailbox.poll(policy.maxBatch());
        index(batch);
        mailbox.leave(batch.size());
        return mailbox.isEmpty() ? null : Duration.ZERO;
    }

    @Override
    public @Nullable Duration refused(Throwable refusal) {
        abandon();
        return null;
    }

    CompletionStage<Void> close() {
        return mailbox.close();
    }

    void abandon() {
        List<StoredMessage> left = mailbox.poll(Integer.MAX_VALUE);
        left.forEach(message -> listener.notIndexed(message.conversation(), 1, IndexDrop.CLOSED));
        mailbox.leave(left.size());
    }

    private void index(List<StoredMessage> batch) {
        Map<String, List<StoredMessage>> conversations = new LinkedHashMap<>();
        batch.forEach(message -> conversations
                .computeIfAbsent(message.conversation(), key -> new ArrayList<>())
                .add(message));
        // What is not in one piece, as repeats are not, goes into further calls: each has an entry at most once.
        List<List<InboxUpdate>> calls = new ArrayList<>();
        int messages = 0;
        for (Map.Entry<String, List<StoredMessage>> one : conversations.entrySet()) {
            List<Member> members = members(one.getKey(), one.getValue());
            if (members != null) {
                messages += one.getValue().size();
                add(one.getValue(), members, calls);
            }
        }
        if (messages > 0) {
            write(calls, messages, conversations);
        }
    }

    private void add(List<StoredMessage> messages, List<Member> members, List<List<InboxUpdate>> calls) {
        List<List<StoredMessage>> stretches = Updates.stretches(messages);
        for (int i = 0; i < stretches.size(); i++) {
            if (calls.size() == i) {
                calls.add(new ArrayList<>());
            }
            Updates.add(stretches.get(i), members, preview, calls.get(i));
        }
    }

    private void write(List<List<InboxUpdate>> calls, int messages, Map<String, List<StoredMessage>> conversations) {
        long begin = threads.scheduler().nanoTime();
        try {
            int entries = 0;
            for (List<InboxUpdate> updates : calls) {
                store.index(updates);
                entries += updates.size();
            }
            listener.indexed(
                    messages, entries, Duration.ofNanos(threads.scheduler().nanoTime() - begin));
        } catch (Throwable e) {
            faults.report(() -> messages + " messages of " + conversations.size() + " conversations", e);
            conversations.forEach(
                    (conversation, lost) -> listener.notIndexed(conversation, lost.size(), IndexDrop.FAILED));
        }
    }

    /** Null when nothing is to be written for the conversation. */
    private @Nullable List<Member> members(String conversation, List<StoredMessage> messages) {
        try {
            List<Member> members = new ArrayList<>();
            KeyPage<Member> page = directory.members(conversation, null, policy.largeGroup() + 1);
            members.addAll(page.items());
            while (page.next() != null && members.size() <= policy.largeGroup()) {
                page = directory.members(conversation, page.next(), policy.largeGroup() + 1);
                members.addAll(page.items());
            }
            if (members.size() <= policy.largeGroup()) {
                return members;
            }
            listener.notIndexed(conversation, messages.size(), IndexDrop.LARGE_GROUP);
        } catch (Throwable e) {
            faults.report(() -> "the members of conversation " + conversation, e);
            listener.notIndexed(conversation, messages.size(), IndexDrop.FAILED);
        }
        return null;
    }
}
