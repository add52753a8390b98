package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.AckResult;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.fetch.PageResult;
import dev.tidemark.send.BatchPolicy;
import dev.tidemark.send.SendPolicy;
import dev.tidemark.send.SendRequest;
import dev.tidemark.send.SendResult;
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
import java.time.Duration;
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

    private VirtualTime time;
    private InMemoryMessageStore memory;
    private ScriptedMessageStore store;
    private InMemoryConversationDirectory members;
    private InMemoryCursorStore cursors;
    private RecordingListener listener;
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
    @DisplayName("P1, P2, P3, H6, H41, H42: whatever goes wrong, what was called stored is stored, once, in order")
    void whateverGoesWrong() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 150; seed++) {
            goWrong(seed);
        }
    }

    private void goWrong(long seed) {
        Random random = new Random(seed);
        build(new VirtualTime(seed));
        pushed.clear();
        held.clear();
        for (int user = 0; user < 3; user++) {
            tidemark.presence().connect(new DeviceId("user" + user, "phone"), "node");
        }
        Map<String, CompletionStage<SendResult>> sends = new LinkedHashMap<>();
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
                    boolean repeat = numbers[user] > 0 && random.nextInt(8) == 0;
                    int number = repeat ? random.nextInt(numbers[user]) : numbers[user]++;
                    String conversation = "c" + (number + user) % 3;
                    String id = String.format("%04d", number);
                    sends.put("user" + user + " " + id + " " + step, send(conversation, "user" + user, id));
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

    private void check(long seed, Map<String, CompletionStage<SendResult>> sends) {
        Set<String> calledStored = new HashSet<>();
        sends.forEach((name, stage) -> {
            if (Stages.now(stage) instanceof SendResult.Stored one) {
                calledStored.add(one.conversation() + " " + one.seq() + " " + one.messageId());
            } else {
                ErrorCode code = ((SendResult.Refused) Stages.now(stage)).code();
                // Answered at their deadline: the truth of that moment.
                assertThat(code).as("seed " + seed).isIn(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.OVERLOADED);
            }
        });
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
        }
        assertThat(calledStored).as("seed " + seed).isEmpty();
    }

    private void build(VirtualTime virtual) {
        time = virtual;
        memory = new InMemoryMessageStore(time.clock());
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
                .transport((session, push) -> pushed.computeIfAbsent(session.device(), key -> new LinkedHashMap<>())
                        .computeIfAbsent(push.message().conversation(), key -> new ArrayList<>())
                        .add(push.message().seq()))
                .scheduler(time)
                .storeExecutor(time)
                .pushExecutor(time)
                .completeOn(time)
                // The in-memory store waits for locks in real time, of which there is none here.
                .sendPolicy(SendPolicy.defaults().withLanes(2).withLockWait(Duration.ofNanos(1)))
                .batchPolicy(new BatchPolicy(8, 3, 1000))
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
