package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.AckResult;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.fetch.PageResult;
import dev.tidemark.push.Push;
import dev.tidemark.send.BatchPolicy;
import dev.tidemark.send.SendPolicy;
import dev.tidemark.send.SendRequest;
import dev.tidemark.send.SendResult;
import dev.tidemark.send.ShedPolicy;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryCursorStore;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The whole of core on the test's own thread, in virtual time: nothing in it starts a thread, sleeps, or reads a clock that
 * was not handed in (H32). Everything random follows from a seed.
 */
class OneThreadTest {

    private static final Duration CLOSE = Duration.ofSeconds(30);

    private record Sent(SendRequest request, boolean hurried, CompletionStage<SendResult> stage) {}

    private VirtualTime time;
    private InMemoryMessageStore memory;
    private ScriptedMessageStore store;
    private InMemoryConversationDirectory members;
    private InMemoryCursorStore cursors;
    private RecordingListener listener;
    private Duration linger = Duration.ZERO;
    private Tidemark tidemark;
    private final Set<String> held = new HashSet<>();
    private final Map<DeviceId, Map<String, List<Long>>> pushed = new LinkedHashMap<>();

    @Test
    void sendPushFetchAcknowledgeDeferReplayAndClose() {
        build(new VirtualTime());
        DeviceId bob = new DeviceId("user1", "phone");
        tidemark.presence().connect(bob, "node");

        Runnable release = memory.hold("c0");
        store.loseAnswerNext();
        CompletionStage<SendResult> deferred = send("c0", "user0", "m1");
        CompletionStage<SendResult> replayed = send("c1", "user0", "m1");
        time.run();
        assertThat(Stages.isDone(deferred)).isFalse();
        assertThat(Stages.isDone(replayed)).isFalse();
        time.advance(Duration.ofMillis(50));
        assertThat(stored(replayed).seq()).isEqualTo(1);
        release.run();
        time.advance(Duration.ofSeconds(1));
        assertThat(stored(deferred).seq()).isEqualTo(1);
        assertThat(pushed.get(bob)).isEqualTo(Map.of("c0", List.of(1L), "c1", List.of(1L)));

        PageResult.Page page = (PageResult.Page) now(tidemark.fetchService().page(bob, "c0", Position.START));
        assertThat(page.messages()).hasSize(1);
        AckResult ack = now(tidemark.cursorManager().acknowledge(bob, "c0", 1));
        assertThat(ack).isEqualTo(new AckResult.Acknowledged(new Cursor(1, 0)));

        CompletionStage<SendResult> last = send("c1", "user0", "m2");
        CompletionStage<Void> closed = tidemark.shutdown(CLOSE);
        assertThat(((SendResult.Refused) Stages.now(send("c1", "user0", "m3"))).code())
                .isEqualTo(ErrorCode.CLOSED);
        time.run();
        assertThat(Stages.isDone(closed)).isTrue();
        assertThat(stored(last).seq()).isEqualTo(2);
        assertThat(pushed.get(bob).get("c1")).containsExactly(1L, 2L);
        tidemark.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("tidemark-"));
    }

    @Test
    @DisplayName("H9: what was stored and never pushed is fetched")
    void whatWasNeverPushedIsFetched() {
        build(new VirtualTime());
        DeviceId bob = new DeviceId("user1", "phone");
        CompletionStage<SendResult> sent = send("c0", "user0", "m1");
        // The process dies after the commit and before the push: here, nothing runs any more but the store's answer.
        time.step();
        assertThat(memory.after("c0", 0, 10).messages()).hasSize(1);
        build(new VirtualTime(), memory);
        PageResult.Page page = (PageResult.Page) now(tidemark.fetchService().page(bob, "c0", Position.START));
        assertThat(page.messages()).extracting(StoredMessage::messageId).containsExactly("m1");
        assertThat(pushed).isEmpty();
        assertThat(Stages.isDone(sent)).isFalse();
    }

    @Test
    @DisplayName("H32: a wall clock that jumps back disturbs neither order nor timers")
    void aClockThatJumps() {
        Instant[] wall = {Instant.parse("2026-01-01T12:00:00Z")};
        build(new VirtualTime(), new InMemoryMessageStore(new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Instant instant() {
                return wall[0];
            }
        }));
        CompletionStage<SendResult> m1 = send("c0", "user0", "m1");
        time.run();
        wall[0] = wall[0].minus(Duration.ofHours(1));
        store.loseAnswerNext();
        CompletionStage<SendResult> m2 = send("c0", "user0", "m2");
        time.advance(Duration.ofMillis(50));
        assertThat(stored(m1).seq()).isEqualTo(1);
        assertThat(stored(m2).seq()).isEqualTo(2);
        assertThat(stored(m2).storedAt()).isBefore(stored(m1).storedAt());
        PageResult.Page page = (PageResult.Page)
                now(tidemark.fetchService().page(new DeviceId("user1", "phone"), "c0", Position.START));
        assertThat(page.messages()).extracting(StoredMessage::messageId).containsExactly("m1", "m2");
    }

    @Test
    @DisplayName("P1, P2, P3, H6, H41, H42: whatever goes wrong, what was called stored is stored, once, in order")
    void whateverGoesWrong() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 150; seed++) {
            goWrong(seed);
        }
    }

    private void goWrong(long seed) {
        Random random = new Random(seed);
        linger = Duration.ofMillis(seed % 3);
        build(new VirtualTime(seed));
        pushed.clear();
        held.clear();
        for (int user = 0; user < 3; user++) {
            tidemark.presence().connect(new DeviceId("user" + user, "phone"), "node");
        }
        List<Sent> sends = new ArrayList<>();
        List<Runnable> releases = new ArrayList<>();
        int[] numbers = new int[3];
        for (int step = 0; step < 200; step++) {
            switch (random.nextInt(12)) {
                case 0 -> releases.add(hold("c" + random.nextInt(3)));
                case 1 -> releases.forEach(Runnable::run);
                case 2 -> store.loseAnswerNext();
                case 3 -> store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
                case 4 -> time.advance(Duration.ofMillis(random.nextInt(100)));
                default -> {
                    int user = random.nextInt(3);
                    boolean repeat = numbers[user] > 1 && random.nextInt(8) == 0;
                    int number = repeat ? random.nextInt(numbers[user]) : numbers[user]++;
                    // Every fifth is in a hurry. Those are not repeated: a repeat of what was given up comes later,
                    // rightly.
                    boolean hurried = number % 5 == 0;
                    if (!hurried || !repeat) {
                        String conversation = "c" + (number + user) % 3;
                        String id = String.format("%04d", number);
                        Duration timeout = hurried ? Duration.ofMillis(1 + random.nextInt(200)) : Duration.ofHours(1);
                        SendRequest request = SendRequest.of(conversation, "user" + user, id, "body " + id)
                                .withTimeout(timeout);
                        sends.add(new Sent(
                                request, hurried, tidemark.sendPipeline().send(request)));
                    }
                }
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                time.step();
            }
        }
        releases.forEach(Runnable::run);
        CompletionStage<Void> closed = tidemark.shutdown(Duration.ofMinutes(10));
        time.advance(Duration.ofMinutes(9));
        assertThat(Stages.isDone(closed)).as("seed " + seed).isTrue();
        check(seed, sends);
    }

    private void check(long seed, List<Sent> sends) {
        Set<String> calledStored = new HashSet<>();
        Set<String> untouched = new HashSet<>();
        for (Sent sent : sends) {
            String name = sent.request().sender() + " " + sent.request().messageId();
            if (Stages.now(sent.stage()) instanceof SendResult.Stored one) {
                calledStored.add(one.conversation() + " " + one.seq() + " " + one.messageId());
            } else {
                ErrorCode code = ((SendResult.Refused) Stages.now(sent.stage())).code();
                assertThat(sent.hurried())
                        .as("seed %d: %s %s", seed, name, code)
                        .isTrue();
                assertThat(code).as("seed " + seed).isIn(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.OVERLOADED);
                if (code == ErrorCode.OVERLOADED) {
                    untouched.add(name);
                }
            }
        }
        for (int c = 0; c < 3; c++) {
            String conversation = "c" + c;
            List<StoredMessage> rows = memory.after(conversation, 0, 10_000).messages();
            assertThat(rows)
                    .as("seed " + seed)
                    .extracting(StoredMessage::seq)
                    .isEqualTo(LongStream.rangeClosed(1, rows.size()).boxed().toList());
            for (int user = 0; user < 3; user++) {
                String sender = "user" + user;
                assertThat(rows.stream()
                                .filter(row -> row.sender().equals(sender))
                                .map(StoredMessage::messageId))
                        .as("seed " + seed)
                        .isSorted()
                        .doesNotHaveDuplicates();
                List<Long> pushes = pushed.getOrDefault(new DeviceId(sender, "phone"), Map.of())
                        .getOrDefault(conversation, List.of());
                assertThat(pushes.stream().distinct().toList())
                        .as("seed " + seed)
                        .isEqualTo(
                                LongStream.rangeClosed(1, rows.size()).boxed().toList());
            }
            rows.forEach(row -> calledStored.remove(conversation + " " + row.seq() + " " + row.messageId()));
            assertThat(rows)
                    .as("seed " + seed)
                    .extracting(row -> row.sender() + " " + row.messageId())
                    .doesNotContainAnyElementsOf(untouched.isEmpty() ? Set.of("nobody") : untouched);
        }
        assertThat(calledStored).as("seed " + seed).isEmpty();
    }

    private void build(VirtualTime virtual) {
        build(virtual, new InMemoryMessageStore(virtual.clock()));
    }

    private void build(VirtualTime virtual, InMemoryMessageStore messages) {
        time = virtual;
        memory = messages;
        store = new ScriptedMessageStore(memory);
        members = new InMemoryConversationDirectory();
        cursors = new InMemoryCursorStore();
        listener = new RecordingListener();
        for (int c = 0; c < 3; c++) {
            for (int user = 0; user < 3; user++) {
                members.join("c" + c, "user" + user, 1);
            }
        }
        tidemark = Tidemark.builder()
                .messages(store)
                .cursors(cursors)
                .directory(members)
                .transport((session, push) -> {
                    if (push instanceof Push.Message message) {
                        pushed.computeIfAbsent(session.device(), key -> new LinkedHashMap<>())
                                .computeIfAbsent(message.message().conversation(), key -> new ArrayList<>())
                                .add(message.message().seq());
                    }
                })
                .scheduler(time)
                .storeExecutor(time)
                .pushExecutor(time)
                .completeOn(time)
                // The in-memory store waits for locks in real time, of which there is none here.
                .sendPolicy(SendPolicy.defaults().withLanes(2).withLockWait(Duration.ofNanos(1)))
                .batchPolicy(new BatchPolicy(8, 3, 1000, linger, 4))
                // Every message is to be pushed as such, whatever goes wrong.
                .shedPolicy(new ShedPolicy(100, 100, Duration.ofMinutes(10)))
                .listener(listener)
                .build();
        tidemark.start();
    }

    /** Another node's lock. The releases of all are kept in one list, which may be run through again and again. */
    private Runnable hold(String conversation) {
        if (!held.add(conversation)) {
            return () -> {};
        }
        boolean[] released = new boolean[1];
        Runnable release = memory.hold(conversation);
        return () -> {
            if (!released[0]) {
                released[0] = true;
                held.remove(conversation);
                release.run();
            }
        };
    }

    private CompletionStage<SendResult> send(String conversation, String sender, String messageId) {
        return tidemark.sendPipeline().send(SendRequest.of(conversation, sender, messageId, "body " + messageId));
    }

    private <T> T now(CompletionStage<T> stage) {
        time.run();
        return Stages.now(stage);
    }

    private static SendResult.Stored stored(CompletionStage<SendResult> stage) {
        return (SendResult.Stored) Stages.now(stage);
    }
}
