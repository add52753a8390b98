package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.send.BatchPolicy;
import dev.tidemark.send.SendPipeline;
import dev.tidemark.send.SendPolicy;
import dev.tidemark.send.SendRequest;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxPage;
import dev.tidemark.storage.InboxRecount;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryInboxStore;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Conversation lists and unread counters")
class InboxServiceTest {

    /** The reference, which loses what the test says. */
    private static final class Flaky implements InboxStore {

        private final InMemoryInboxStore store = new InMemoryInboxStore();
        private Supplier<Boolean> fails = () -> false;
        private int calls;

        private void call() {
            calls++;
            if (fails.get()) {
                throw new StorageException(StorageException.Kind.UNAVAILABLE, "down", null);
            }
        }

        @Override
        public void index(Collection<InboxUpdate> updates) {
            call();
            store.index(updates);
        }

        @Override
        public void recount(Collection<InboxRecount> recounts) {
            store.recount(recounts);
        }

        @Override
        public void read(Map<MemberKey, Long> readTo) {
            store.read(readTo);
        }

        @Override
        public void doubt(Collection<MemberKey> keys) {
            store.doubt(keys);
        }

        @Override
        public void remove(Collection<MemberKey> keys) {
            store.remove(keys);
        }

        @Override
        public Map<MemberKey, InboxEntry> get(Collection<MemberKey> keys) {
            return store.get(keys);
        }

        @Override
        public InboxPage list(String user, InboxPage.Place after, int limit) {
            return store.list(user, after, limit);
        }
    }

    private final VirtualTime time = new VirtualTime();
    private final InMemoryMessageStore messages = new InMemoryMessageStore(time.clock());
    private final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    private final Flaky store = new Flaky();
    private final RecordingListener listener = new RecordingListener();
    private InboxService inbox;
    private SendPipeline sends;

    InboxServiceTest() {
        build(InboxPolicy.defaults().withLanes(1).withLargeGroup(3).withCap(9));
        for (String conversation : List.of("c1", "c2", "c3")) {
            members.join(conversation, "ann", 1);
            members.join(conversation, "bob", 1);
        }
    }

    private void build(InboxPolicy policy) {
        Threads threads = new Threads(time, time, time);
        inbox = new InboxService(store, messages, members, Preview.text(5), policy, threads, listener);
        inbox.start();
        sends = SendPipeline.over(messages, members, threads)
                .indexer(inbox)
                .policy(SendPolicy.defaults().withLanes(1))
                .batchPolicy(BatchPolicy.defaults())
                .build();
        sends.start();
    }

    @Test
    void listsFollowWhatIsSent() {
        send("c1", "ann", "m1");
        send("c1", "bob", "m2");
        time.advance(Duration.ofSeconds(1));
        send("c2", "ann", "m3");
        sends.send(SendRequest.of("c2", "ann", "m4", "not counted").withCountable(false));
        time.run();
        assertThat(listed("bob")).containsExactly("c2 2 unread 1", "c1 2 unread 1");
        assertThat(listed("ann")).containsExactly("c2 2 unread 0", "c1 2 unread 1");
        assertThat(found("bob", "c2").latest().preview()).isEqualTo(Body.of("not c"));
        assertThat(store.calls).as("a call for each batch").isEqualTo(4);
        assertThat(listener.all()).contains("indexed 1 2");
    }

    @Test
    void aBatchOfManyConversationsIsOneCall() {
        for (int i = 1; i <= 30; i++) {
            sends.send(SendRequest.of("c" + (1 + i % 3), "ann", "m" + i, "x"));
        }
        time.run();
        assertThat(store.calls).isEqualTo(1);
        assertThat(found("bob", "c1").unread()).isEqualTo(9);
        assertThat(found("bob", "c1").more()).isTrue();
    }

    @Test
    @DisplayName(
            "H8: process killed between store and index: the message is there, and unread is right on the next read")
    void whatWasNeverIndexedIsCountedOnTheNextRead() {
        send("c1", "ann", "m1");
        messages.append(List.of(new Draft("c1", "ann", "m2", "text", true, Body.of("stored, and then the end"))));
        assertThat(entry("bob", "c1").countedTo()).isEqualTo(1);
        assertThat(listed("bob")).containsExactly("c1 2 unread 2");
        assertThat(entry("bob", "c1").countedTo()).isEqualTo(2);
        send("c1", "ann", "m3");
        assertThat(entry("bob", "c1").unread()).as("it goes on from there").isEqualTo(3);
    }

    @Test
    @DisplayName(
            "H8: a store that fails costs the send nothing; it is counted, logged once, and mended on the next read")
    void aFailureIsCountedAndMended() {
        send("c1", "ann", "m1");
        store.fails = () -> true;
        try (Logs logs = new Logs()) {
            send("c1", "ann", "m2");
            send("c1", "ann", "m3");
            assertThat(logs.lines()).hasSize(1);
        }
        assertThat(listener.count("not indexed FAILED c1 1")).isEqualTo(2);
        store.fails = () -> false;
        send("c1", "ann", "m4");
        assertThat(entry("bob", "c1").isMiss()).isTrue();
        assertThat(found("bob", "c1").unread()).isEqualTo(4);
    }

    @Test
    void aRepeatMakesTheCounterAMissThatIsCountedAnew() {
        send("c1", "ann", "m1");
        send("c1", "ann", "m2");
        send("c1", "ann", "m1");
        assertThat(entry("bob", "c1").isMiss()).isTrue();
        assertThat(found("bob", "c1").unread()).isEqualTo(2);
        assertThat(found("bob", "c1").latest().seq()).isEqualTo(2);
    }

    @Test
    void readingMovesForwardOnlyAndNotPastTheEnd() {
        for (int i = 1; i <= 5; i++) {
            send("c1", "ann", "m" + i);
        }
        assertThat(marked("bob", "c1", 3)).isEqualTo("c1 5 unread 2");
        assertThat(marked("bob", "c1", 2)).isEqualTo("c1 5 unread 2");
        assertThat(found("bob", "c1").readTo()).isEqualTo(3);
        assertThat(code(inbox.markRead("bob", "c1", 6))).isEqualTo(ErrorCode.BEYOND_HEAD);
        assertThat(code(inbox.markRead("eve", "c1", 1))).isEqualTo(ErrorCode.NOT_A_MEMBER);
        assertThat(marked("bob", "c1", 5)).isEqualTo("c1 5 unread 0");
        send("c1", "ann", "m6");
        assertThat(entry("bob", "c1").unread()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "H23: joined at 3, left at 5, rejoined at 8: only what was seen is counted, and nothing of others' is shown")
    void onlyWhatAMemberMaySeeIsCounted() {
        send("c1", "ann", "m1");
        send("c1", "ann", "m2");
        members.join("c1", "cat", 3);
        for (int i = 3; i <= 5; i++) {
            send("c1", "ann", "m" + i);
        }
        assertThat(found("cat", "c1").unread()).isEqualTo(3);
        members.leave("c1", "cat", 5);
        send("c1", "ann", "m6");
        send("c1", "ann", "m7");
        assertThat(listed("cat")).containsExactly("c1 5 unread 3");
        assertThat(code(inbox.markRead("cat", "c1", 6))).isEqualTo(ErrorCode.BEYOND_HEAD);
        members.join("c1", "cat", 8);
        send("c1", "ann", "m8");
        assertThat(found("cat", "c1").unread()).isEqualTo(4);
        assertThat(marked("cat", "c1", 4)).isEqualTo("c1 8 unread 2");
    }

    @Test
    void whatAUserMaySeeNothingOfIsNeitherListedNorFound() {
        send("c1", "ann", "m1");
        store.store.index(List.of(new InboxUpdate(
                new MemberKey("c1", "eve"), 1, entry("bob", "c1").latest(), 1)));
        assertThat(listed("eve")).isEmpty();
        assertThat(store.get(List.of(new MemberKey("c1", "eve")))).isEmpty();
        assertThat(((InboxResult.Found) now(inbox.get("eve", List.of("c1")))).conversations())
                .isEmpty();
    }

    @Test
    void largeGroupsAreLeftToBeMended() {
        for (String user : List.of("cat", "dan", "eve")) {
            members.join("c1", user, 1);
        }
        send("c1", "ann", "m1");
        assertThat(listener.events()).containsExactly("not indexed LARGE_GROUP c1 1");
        assertThat(listed("dan")).isEmpty();
        assertThat(found("dan", "c1").unread()).isEqualTo(1);
        assertThat(listed("dan")).as("from then on it is known").containsExactly("c1 1 unread 1");
        assertThat(now(inbox.sweep("eve"))).isEqualTo(new InboxResult.Done(1));
        assertThat(listed("eve")).containsExactly("c1 1 unread 1");
    }

    @Test
    void aSweepMendsEveryConversationOfAUser() {
        for (int i = 1; i <= 3; i++) {
            messages.append(List.of(new Draft("c" + i, "ann", "m", "text", true, Body.of("x"))));
        }
        assertThat(now(inbox.sweep("bob"))).isEqualTo(new InboxResult.Done(3));
        assertThat(now(inbox.sweep("bob"))).isEqualTo(new InboxResult.Done(0));
        assertThat(listed("bob")).hasSize(3);
    }

    @Test
    void whatIsRemovedComesBackWithTheNextMessage() {
        send("c1", "ann", "m1");
        assertThat(now(inbox.remove("bob", "c1"))).isEqualTo(new InboxResult.Done(1));
        assertThat(listed("bob")).isEmpty();
        send("c1", "ann", "m2");
        assertThat(listed("bob")).containsExactly("c1 2 unread 2");
    }

    @Test
    void aFullLaneDropsAndCounts() {
        build(InboxPolicy.defaults().withLanes(1).withQueueCapacity(2));
        for (int i = 1; i <= 5; i++) {
            sends.send(SendRequest.of("c1", "ann", "m" + i, "x"));
        }
        time.run();
        assertThat(listener.count("not indexed LANE_FULL c1 1")).isEqualTo(3);
        assertThat(found("bob", "c1").unread()).isEqualTo(5);
    }

    @Test
    void aPreviewThatThrowsOrIsTooLongShowsNothing() {
        for (Preview preview : List.<Preview>of(
                message -> {
                    throw new IllegalStateException("the host's");
                },
                message -> Body.of("x".repeat(2000)))) {
            StoredMessage message = new StoredMessage(
                    "c1",
                    1,
                    "ann",
                    "m",
                    "text",
                    true,
                    Body.of("hello"),
                    0,
                    time.clock().instant());
            assertThat(Updates.latest(message, preview).preview()).isEqualTo(Body.empty());
        }
        StoredMessage wide = new StoredMessage(
                "c1",
                1,
                "ann",
                "m",
                "text",
                true,
                Body.of("abc\uD83D\uDE00d"),
                0,
                time.clock().instant());
        assertThat(Preview.text(6).of(wide)).isEqualTo(Body.of("abc"));
        assertThat(Preview.text(7).of(wide)).isEqualTo(Body.of("abc\uD83D\uDE00"));
        assertThat(Preview.none().of(wide)).isEqualTo(Body.empty());
    }

    @Test
    void whatIsWrongIsRefusedByName() {
        assertField("user", inbox.list("", null, 1));
        assertField("limit", inbox.list("bob", null, 0));
        assertField("conversations", inbox.get("bob", List.of()));
        assertField("conversations", inbox.get("bob", null));
        assertField("conversation", inbox.get("bob", List.of("c1", "")));
        assertField("seq", inbox.markRead("bob", "c1", -1));
        assertField("conversation", inbox.remove("bob", "a\0"));
        assertField("user", inbox.sweep(null));
    }

    @Test
    @DisplayName("H37: after the end requests are refused, and what was accepted is answered")
    void afterTheEndRequestsAreRefused() {
        send("c1", "ann", "m1");
        CompletionStage<InboxResult> accepted = inbox.get("bob", List.of("c1"));
        CompletionStage<Void> idle = inbox.shutdown(Duration.ofSeconds(1));
        time.run();
        assertThat(Stages.now(accepted)).isInstanceOf(InboxResult.Found.class);
        assertThat(Stages.isDone(idle)).isTrue();
        assertThat(code(inbox.get("bob", List.of("c1")))).isEqualTo(ErrorCode.CLOSED);
        send("c1", "ann", "m2");
        assertThat(listener.count("not indexed CLOSED c1 1")).isEqualTo(1);
    }

    @Test
    void whateverIsLostRepeatedOrReadWhatIsShownIsRight() {
        for (long seed = 1; seed <= 40; seed++) {
            InboxServiceTest one = new InboxServiceTest();
            one.goWrong(new Random(seed), "seed " + seed);
        }
    }

    private void goWrong(Random random, String seed) {
        store.fails = () -> random.nextInt(4) == 0;
        List<String> users = List.of("ann", "bob", "cat");
        members.join("c1", "cat", 2);
        for (int step = 0; step < 120; step++) {
            String user = users.get(random.nextInt(3));
            int what = random.nextInt(10);
            if (what < 6) {
                // Few ids, so that many are repeats.
                sends.send(SendRequest.of("c1", user, "m" + random.nextInt(60), "x"));
            } else if (what == 6) {
                long head = messages.heads(List.of("c1")).get("c1").seq();
                inbox.markRead(user, "c1", random.nextInt((int) head + 1));
            } else if (what == 7 && random.nextInt(5) == 0) {
                inbox.remove(user, "c1");
            } else {
                time.run();
                String shown = shown(found(user, "c1"));
                assertThat(shown).as(seed + ", step " + step).isEqualTo(truth(user));
            }
        }
    }

    /** What a user is to be shown, from the messages themselves. */
    private String truth(String user) {
        MemberKey key = new MemberKey("c1", user);
        Visibility visible = members.visibility(List.of(key)).get(key);
        List<StoredMessage> rows = messages.after("c1", 0, 10_000).messages();
        InboxEntry entry = store.get(List.of(key)).get(key);
        long unread = rows.stream()
                .filter(row -> visible.sees(row.seq()) && row.seq() > entry.readTo() && row.countable())
                .filter(row -> !row.sender().equals(user))
                .count();
        long head = visible.headWithin(rows.size());
        return "c1 " + head + " unread " + Math.min(9, unread);
    }

    private void send(String conversation, String sender, String messageId) {
        sends.send(SendRequest.of(conversation, sender, messageId, "hello " + messageId));
        time.run();
    }

    private List<String> listed(String user) {
        List<String> all = new ArrayList<>();
        InboxPage.Place after = null;
        do {
            InboxResult.Listed page = (InboxResult.Listed) now(inbox.list(user, after, 2));
            page.conversations().forEach(one -> all.add(shown(one)));
            after = page.next();
        } while (after != null);
        return all;
    }

    private Conversation found(String user, String conversation) {
        return ((InboxResult.Found) now(inbox.get(user, List.of(conversation))))
                .conversations()
                .get(conversation);
    }

    private String marked(String user, String conversation, long seq) {
        InboxResult.Found found = (InboxResult.Found) now(inbox.markRead(user, conversation, seq));
        return shown(found.conversations().get(conversation));
    }

    private static String shown(Conversation one) {
        long latest = one.latest() == null ? 0 : one.latest().seq();
        return one.conversation() + " " + latest + " unread " + one.unread();
    }

    private InboxEntry entry(String user, String conversation) {
        MemberKey key = new MemberKey(conversation, user);
        return store.get(List.of(key)).get(key);
    }

    private ErrorCode code(CompletionStage<InboxResult> stage) {
        return ((InboxResult.Refused) now(stage)).refusal().code();
    }

    private void assertField(String field, CompletionStage<InboxResult> stage) {
        assertThat(((InboxResult.Refused) now(stage)).refusal().field()).isEqualTo(field);
    }

    private InboxResult now(CompletionStage<InboxResult> stage) {
        time.run();
        return Stages.now(stage);
    }
}
