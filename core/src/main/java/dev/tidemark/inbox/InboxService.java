package dev.tidemark.inbox;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.concurrent.internal.Gate;
import dev.tidemark.concurrent.internal.Replies;
import dev.tidemark.concurrent.internal.Reply;
import dev.tidemark.concurrent.internal.Shutdown;
import dev.tidemark.concurrent.internal.Spread;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxPage;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Conversation lists with unread counters. They follow the stored messages, and are compared with the messages when they are
 * read, so that whatever was lost on the way, what a user is shown is right.
 *
 * <p>Every method that takes a user is for that user; the host has made sure that it is this user who asks. Safe for use by
 * many threads. It takes requests from {@link #start()} to {@link #shutdown(Duration)}.
 */
public final class InboxService implements Indexer {

    /** The most conversations of one request, whatever is asked. */
    public static final int MAX_PAGE = 100;

    private final InboxStore store;
    private final ConversationDirectory directory;
    private final Recounts recounts;
    private final InboxPolicy policy;
    private final Threads threads;
    private final Replies replies;
    private final List<IndexLane> lanes;
    private final Gate<Request> gate;
    private final FaultLog faults;

    /**
     * Creates the service.
     *
     * @param store keeps the lists
     * @param log the messages
     * @param directory says who is where, and what users may see
     * @param preview makes what a list shows of a message
     * @param policy how lists are kept
     * @param threads what to run on; uses up to {@link InboxPolicy#threads()} threads of the store executor
     * @param listener told of what happens
     */
    public InboxService(
            InboxStore store,
            MessageLog log,
            ConversationDirectory directory,
            Preview preview,
            InboxPolicy policy,
            Threads threads,
            TidemarkListener listener) {
        this.store = store;
        this.directory = directory;
        this.recounts = new Recounts(store, log, directory, preview, policy.cap());
        this.policy = policy;
        this.threads = threads;
        this.replies = new Replies(threads.completeOn());
        TidemarkListener contained = TidemarkListener.contained(listener, threads.scheduler()::nanoTime);
        this.lanes = IntStream.range(0, policy.lanes())
                .mapToObj(i -> new IndexLane(store, directory, preview, policy, threads, contained))
                .toList();
        this.gate = new Gate<>(policy.concurrency(), policy.requestCapacity(), threads.storeExecutor());
        this.faults = new FaultLog(
                LoggerFactory.getLogger(InboxService.class),
                "a conversation list could not be read or changed",
                threads.scheduler()::nanoTime);
    }

    /** Takes messages and requests from now on. Starts no thread. */
    public void start() {
        lanes.forEach(IndexLane::open);
        gate.open();
    }

    @Override
    public void index(List<StoredMessage> stored) {
        for (StoredMessage message : stored) {
            lanes.get(Spread.over(message.conversation().hashCode(), lanes.size()))
                    .offer(message);
        }
    }

    /**
     * A page of a user's list.
     *
     * @param user whose list
     * @param after {@link InboxResult.Listed#next()} of the page before; null for the first page
     * @param limit the most conversations wanted, 1 or more; more than {@link #MAX_PAGE} count as that many
     * @return {@link InboxResult.Listed} or {@link InboxResult.Refused}; completes on the executor for completions, never
     *     exceptionally. A page may have fewer conversations than the limit, and none, and be followed by another all the
     *     same
     */
    public CompletionStage<InboxResult> list(String user, InboxPage.@Nullable Place after, int limit) {
        Refusal wrong = judgeId("user", user);
        if (wrong == null && limit < 1) {
            wrong = Refusal.invalid("limit", "1 or more, was " + limit);
        }
        return request(wrong, () -> {
            InboxPage page = store.list(user, after, Math.min(limit, MAX_PAGE));
            Map<MemberKey, InboxEntry> held = new LinkedHashMap<>();
            page.entries().forEach(entry -> held.put(entry.key(), entry));
            Recounts.Mended mended = recounts.mend(held.keySet(), held);
            if (!mended.hidden().isEmpty()) {
                store.remove(mended.hidden());
            }
            List<Conversation> conversations = new ArrayList<>();
            for (MemberKey key : held.keySet()) {
                InboxEntry entry = mended.entries().get(key);
                if (entry != null) {
                    conversations.add(conversation(entry));
                }
            }
            return new InboxResult.Listed(conversations, page.next());
        });
    }

    /**
     * Some conversations of a user by name.
     *
     * @param user for whom
     * @param conversations 1 to {@link #MAX_PAGE} ids
     * @return {@link InboxResult.Found} or {@link InboxResult.Refused}, as {@link #list}
     */
    public CompletionStage<InboxResult> get(String user, Collection<String> conversations) {
        Refusal wrong = judgeId("user", user);
        if (wrong == null) {
            wrong = judgeAll(conversations);
        }
        return request(wrong, () -> {
            Set<MemberKey> keys = Set.copyOf(
                    conversations.stream().map(id -> new MemberKey(id, user)).toList());
            Map<String, Conversation> found = new LinkedHashMap<>();
            recounts.mend(keys, store.get(keys))
                    .entries()
                    .forEach((key, entry) -> found.put(key.conversation(), conversation(entry)));
            return new InboxResult.Found(found);
        });
    }

    /**
     * Moves a user's read position forward; a stale one is a success that changes nothing.
     *
     * @param seq up to where the user has read, 0 or more
     * @return {@link InboxResult.Found} with the conversation as it is then, or {@link InboxResult.Refused}: {@link
     *     ErrorCode#NOT_A_MEMBER}, or {@link ErrorCode#BEYOND_HEAD} past what the user may see
     */
    public CompletionStage<InboxResult> markRead(String user, String conversation, long seq) {
        Refusal wrong = judge(user, conversation);
        if (wrong == null && seq < 0) {
            wrong = Refusal.invalid("seq", "0 or more, was " + seq);
        }
        return request(wrong, () -> {
            MemberKey key = new MemberKey(conversation, user);
            Recounts.Mended before = recounts.mend(Set.of(key), store.get(Set.of(key)));
            InboxEntry entry = before.entries().get(key);
            if (entry == null) {
                return refused(
                        ErrorCode.NOT_A_MEMBER, "user " + user + " is not a member of conversation " + conversation);
            }
            if (seq > entry.countedTo()) {
                return refused(
                        ErrorCode.BEYOND_HEAD,
                        "conversation " + conversation + " ends at " + entry.countedTo() + " for user " + user
                                + ", was " + seq);
            }
            store.read(Map.of(key, seq));
            InboxEntry after =
                    recounts.mend(Set.of(key), store.get(Set.of(key))).entries().getOrDefault(key, entry);
            return new InboxResult.Found(Map.of(conversation, conversation(after)));
        });
    }

    /**
     * Takes a conversation out of a user's list; it comes back with its next message, with the read position lost.
     *
     * @return {@link InboxResult.Done} or {@link InboxResult.Refused}
     */
    public CompletionStage<InboxResult> remove(String user, String conversation) {
        return request(judge(user, conversation), () -> {
            store.remove(Set.of(new MemberKey(conversation, user)));
            return new InboxResult.Done(1);
        });
    }

    /**
     * Compares all of a user's conversations with the messages and mends what differs: for users whose lists nobody reads,
     * and for large groups, whose messages are not put into lists one by one.
     *
     * @return {@link InboxResult.Done} with the number of entries mended, or {@link InboxResult.Refused}
     */
    public CompletionStage<InboxResult> sweep(String user) {
        return request(judgeId("user", user), () -> {
            int mended = 0;
            String after = null;
            do {
                KeyPage<String> page = directory.conversations(user, after, 500);
                List<MemberKey> keys = page.items().stream()
                        .map(conversation -> new MemberKey(conversation, user))
                        .toList();
                mended += recounts.mend(keys, store.get(keys)).mended();
                after = page.next();
            } while (after != null);
            return new InboxResult.Done(mended);
        });
    }

    /**
     * Takes no more messages and requests, and finishes those it has.
     *
     * @param deadline how long that may take; requests that are left then are refused as {@link ErrorCode#CLOSED}
     * @return completes when nothing is left, or the deadline has come. Calling again does no harm
     */
    public CompletionStage<Void> shutdown(Duration deadline) {
        List<CompletionStage<Void>> idle = new ArrayList<>();
        lanes.forEach(lane -> idle.add(lane.close()));
        idle.add(gate.close());
        return Shutdown.within(Shutdown.all(idle), deadline, threads.scheduler(), this::abandon);
    }

    private void abandon() {
        lanes.forEach(IndexLane::abandon);
        gate.inside().forEach(request -> request.answer(refused(ErrorCode.CLOSED, "this instance is shutting down")));
    }

    private Conversation conversation(InboxEntry entry) {
        int unread = Math.min(entry.unread(), policy.cap());
        return new Conversation(
                entry.key().conversation(), entry.latest(), entry.readTo(), unread, entry.unread() > unread);
    }

    private Reply<InboxResult> request(@Nullable Refusal wrong, Supplier<InboxResult> work) {
        if (wrong != null) {
            return Reply.of(new InboxResult.Refused(wrong));
        }
        Request request = new Request(work);
        return switch (gate.offer(request)) {
            case TAKEN -> request;
            case FULL -> Reply.of(refused(ErrorCode.OVERLOADED, gate.size() + " requests are under way"));
            case CLOSED -> Reply.of(refused(ErrorCode.CLOSED, "this instance is not running"));
        };
    }

    private InboxResult refused(ErrorCode code, String detail) {
        Duration retryAfter = Duration.ofMillis(200).multipliedBy(1 + gate.size() / policy.concurrency());
        return new InboxResult.Refused(
                code.retryable() ? Refusal.retryable(code, detail, retryAfter) : Refusal.of(code, detail));
    }

    private static @Nullable Refusal judge(@Nullable String user, @Nullable String conversation) {
        Refusal wrong = judgeId("user", user);
        return wrong == null ? judgeId("conversation", conversation) : wrong;
    }

    private static @Nullable Refusal judgeAll(@Nullable Collection<String> conversations) {
        if (conversations == null || conversations.isEmpty() || conversations.size() > MAX_PAGE) {
            String was = conversations == null ? "null" : String.valueOf(conversations.size());
            return Refusal.invalid("conversations", "1 to " + MAX_PAGE + " ids, was " + was);
        }
        for (String conversation : conversations) {
            Refusal wrong = judgeId("conversation", conversation);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private static @Nullable Refusal judgeId(String field, @Nullable String id) {
        String problem = Ids.problemOf(id);
        return problem == null ? null : Refusal.invalid(field, problem);
    }

    /** One request, and its caller's stage. */
    private final class Request extends Reply<InboxResult> implements Gate.Task {

        private final Supplier<InboxResult> work;

        Request(Supplier<InboxResult> work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (isDecided()) {
                return;
            }
            try {
                answer(work.get());
            } catch (Throwable e) {
                faults.report(() -> "a request", e);
                ErrorCode code = e instanceof StorageException storage ? storage.code() : ErrorCode.UNAVAILABLE;
                answer(InboxService.this.refused(code, "a store could not be reached or failed"));
            }
        }

        @Override
        public void refused(Throwable refusal) {
            answer(InboxService.this.refused(ErrorCode.OVERLOADED, "no thread to work on"));
        }

        void answer(InboxResult result) {
            if (decide(result)) {
                replies.deliver(List.of(this));
            }
        }
    }
}
