package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.RefusedException;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryCursorStore;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("P5: cursors move forward only, on the device's word")
class CursorManagerTest {

    private static final DeviceId ANN = new DeviceId("ann", "phone");

    private final VirtualTime time = new VirtualTime();
    private final InMemoryMessageStore messages = new InMemoryMessageStore(time.clock());
    private final ScriptedMessageStore log = new ScriptedMessageStore(messages);
    private final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    private final ScriptedCursorStore cursors = new ScriptedCursorStore();
    private final RecordingListener listener = new RecordingListener();
    private final List<String> rendered = new ArrayList<>();
    private final CursorManager manager = manager(CursorPolicy.defaults());

    @Test
    void anAcknowledgementMovesTheCursor() {
        conversation("c1", 10);
        assertThat(held(manager.acknowledge(ANN, "c1", 7))).isEqualTo(new Cursor(7, 0));
        assertThat(stored("c1")).isEqualTo(new Cursor(7, 0));
        assertThat(held(manager.cursor(ANN, "c1"))).isEqualTo(new Cursor(7, 0));
        assertThat(listener.events()).containsExactly("acknowledged 1 1", "acknowledged 1 0");
    }

    @Test
    void whoeverPushesIsToldWhatWasRenderedAndOnlyOnceItWasFoundTrue() {
        conversation("c1", 10);
        held(manager.acknowledge(ANN, "c1", 7));
        held(manager.acknowledge(ANN, "c1", 5));
        assertThat(code(manager.acknowledge(ANN, "c1", 11))).isEqualTo(ErrorCode.BEYOND_HEAD);
        held(manager.cursor(ANN, "c1"));
        held(manager.reset(ANN, "c1", 9));
        assertThat(rendered).containsExactly("phone c1 7", "phone c1 5");
    }

    @Test
    void devicesHaveCursorsOfTheirOwn() {
        conversation("c1", 10);
        held(manager.acknowledge(ANN, "c1", 7));
        assertThat(held(manager.cursor(new DeviceId("ann", "tablet"), "c1"))).isEqualTo(Cursor.NONE);
    }

    @Test
    void aStaleOneIsSilenceAndWritesNothing() {
        conversation("c1", 10);
        held(manager.acknowledge(ANN, "c1", 7));
        cursors.calls.clear();
        try (Logs logs = new Logs()) {
            assertThat(held(manager.acknowledge(ANN, "c1", 3))).isEqualTo(new Cursor(7, 0));
            assertThat(held(manager.acknowledge(ANN, "c1", 7))).isEqualTo(new Cursor(7, 0));
            assertThat(logs.lines()).isEmpty();
        }
        assertThat(cursors.calls).containsExactly("get 1", "get 1");
    }

    @Test
    @DisplayName("H13: 5, 9 and 7 from two connections at once end at 9, with one write")
    void aBurstCostsOneWrite() {
        conversation("c1", 10);
        List<CompletionStage<AckResult>> stages = List.of(
                manager.acknowledge(ANN, "c1", 5),
                manager.acknowledge(ANN, "c1", 9),
                manager.acknowledge(ANN, "c1", 7));
        for (CompletionStage<AckResult> stage : stages) {
            assertThat(held(stage)).isEqualTo(new Cursor(9, 0));
        }
        assertThat(cursors.calls).containsExactly("get 1", "advance 1");
        assertThat(listener.events()).containsExactly("acknowledged 3 1");
    }

    @Test
    void aBurstOfManyDevicesIsOneQuestionToEachStore() {
        for (int i = 0; i < 100; i++) {
            conversation("c" + i, 5);
        }
        CursorManager one = manager(CursorPolicy.defaults().withLanes(1));
        for (int i = 0; i < 100; i++) {
            one.acknowledge(ANN, "c" + i, 5);
        }
        time.run();
        assertThat(cursors.calls).containsExactly("get 100", "advance 100");
        assertThat(listener.events()).containsExactly("acknowledged 100 100");
    }

    @Test
    @DisplayName(
            "H12: past the head, negative, no member: refused by name, each by itself, and the cursor is untouched")
    void everyAcknowledgementIsJudgedByItself() {
        conversation("c1", 10);
        messages.append(List.of(Draft.of("c2", "bob", "m1", Body.empty())));
        CompletionStage<AckResult> good = manager.acknowledge(ANN, "c1", 4);
        CompletionStage<AckResult> beyond = manager.acknowledge(ANN, "c1", 1_000_000_000_000L);
        CompletionStage<AckResult> justBeyond = manager.acknowledge(ANN, "c1", 11);
        CompletionStage<AckResult> stranger = manager.acknowledge(ANN, "c2", 1);
        CompletionStage<AckResult> nowhere = manager.acknowledge(ANN, "c99", 0);
        AckResult.Refused negative = (AckResult.Refused) Stages.now(manager.acknowledge(ANN, "c1", -1));
        assertThat(held(good)).isEqualTo(new Cursor(4, 0));
        assertThat(code(beyond)).isEqualTo(ErrorCode.BEYOND_HEAD);
        assertThat(code(justBeyond)).isEqualTo(ErrorCode.BEYOND_HEAD);
        assertThat(code(stranger)).isEqualTo(ErrorCode.NOT_A_MEMBER);
        assertThat(code(nowhere)).isEqualTo(ErrorCode.NOT_A_MEMBER);
        assertThat(negative.code()).isEqualTo(ErrorCode.INVALID);
        assertThat(negative.refusal().field()).isEqualTo("seq");
        assertThat(stored("c1")).isEqualTo(new Cursor(4, 0));
    }

    @Test
    @DisplayName("H12: a true acknowledgement of what was just written is accepted: the look at the head is fresh")
    void whatWasJustWrittenIsAcknowledged() {
        conversation("c1", 1);
        CompletionStage<AckResult> stage = manager.acknowledge(ANN, "c1", 2);
        messages.append(List.of(Draft.of("c1", "bob", "another", Body.empty())));
        assertThat(held(stage)).isEqualTo(new Cursor(2, 0));
    }

    @Test
    void wrongIdsAreRefusedByName() {
        assertThat(invalid(manager.acknowledge(ANN, "", 1))).isEqualTo("conversation");
        assertThat(invalid(manager.acknowledge(ANN, null, 1))).isEqualTo("conversation");
        assertThat(invalid(manager.acknowledge(null, "c1", 1))).isEqualTo("device");
        assertThat(invalid(manager.acknowledge(new DeviceId("\0", "phone"), "c1", 1)))
                .isEqualTo("user");
        assertThat(invalid(manager.acknowledge(new DeviceId("ann", ""), "c1", 1)))
                .isEqualTo("device");
        assertThat(invalid(manager.reset(ANN, "c1", -1))).isEqualTo("seq");
    }

    @Test
    @DisplayName("H23: a former member acknowledges up to its visible head and no further")
    void aFormerMemberAcknowledgesToItsVisibleHead() {
        conversation("c1", 10);
        members.leave("c1", "ann", 6);
        assertThat(code(manager.acknowledge(ANN, "c1", 7))).isEqualTo(ErrorCode.BEYOND_HEAD);
        assertThat(held(manager.acknowledge(ANN, "c1", 6))).isEqualTo(new Cursor(6, 0));
    }

    @Test
    @DisplayName("H13: an admin's reset drops what was acknowledged before it and stands")
    void aResetStands() {
        conversation("c1", 10);
        held(manager.acknowledge(ANN, "c1", 9));
        CompletionStage<AckResult> before = manager.acknowledge(ANN, "c1", 10);
        CompletionStage<AckResult> reset = manager.reset(ANN, "c1", 2);
        assertThat(held(reset)).isEqualTo(new Cursor(2, 1));
        assertThat(held(before)).isEqualTo(new Cursor(2, 1));
        assertThat(stored("c1")).isEqualTo(new Cursor(2, 1));
        assertThat(held(manager.acknowledge(ANN, "c1", 3))).isEqualTo(new Cursor(3, 1));
    }

    @Test
    @DisplayName("H13: a reset made elsewhere while an acknowledgement is under way is not undone by it")
    void aResetElsewhereIsNotUndone() {
        conversation("c1", 10);
        held(manager.acknowledge(ANN, "c1", 5));
        cursors.beforeAdvance = () -> cursors.real.reset(ANN.in("c1"), 1);
        assertThat(held(manager.acknowledge(ANN, "c1", 9))).isEqualTo(new Cursor(1, 1));
        assertThat(stored("c1")).isEqualTo(new Cursor(1, 1));
    }

    @Test
    void aResetConcernsNoOtherCursor() {
        conversation("c1", 10);
        conversation("c2", 10);
        CursorManager one = manager(CursorPolicy.defaults().withLanes(1));
        CompletionStage<AckResult> other = one.acknowledge(ANN, "c2", 10);
        CompletionStage<AckResult> reset = one.reset(ANN, "c1", 2);
        CompletionStage<AckResult> after = one.acknowledge(ANN, "c1", 4);
        assertThat(held(other)).isEqualTo(new Cursor(10, 0));
        assertThat(held(reset)).isEqualTo(new Cursor(2, 1));
        assertThat(held(after)).isEqualTo(new Cursor(4, 1));
    }

    @Test
    void aStoreThatFailsIsAnAnswerAndTheLaneGoesOn() {
        conversation("c1", 10);
        try (Logs logs = new Logs()) {
            log.failReads(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
            assertThat(code(manager.acknowledge(ANN, "c1", 5))).isEqualTo(ErrorCode.UNAVAILABLE);
            log.failReads(null);
            cursors.fault = ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME);
            assertThat(code(manager.acknowledge(ANN, "c1", 5))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            cursors.fault = new IllegalStateException("a bug");
            assertThat(code(manager.acknowledge(ANN, "c1", 5))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            cursors.fault = ScriptedMessageStore.fault(StorageException.Kind.CORRUPT);
            assertThat(code(manager.acknowledge(ANN, "c1", 5))).isEqualTo(ErrorCode.CORRUPT);
            assertThat(code(manager.reset(ANN, "c1", 5))).isEqualTo(ErrorCode.CORRUPT);
            cursors.fault = null;
            assertThat(held(manager.acknowledge(ANN, "c1", 5))).isEqualTo(new Cursor(5, 0));
            assertThat(logs.lines()).hasSize(1);
        }
    }

    @Test
    @DisplayName("P8: too many acknowledgements are refused at once")
    void tooManyAreRefused() {
        conversation("c1", 10);
        CursorManager narrow = manager(new CursorPolicy(1, 3, 512));
        for (int i = 1; i <= 3; i++) {
            narrow.acknowledge(ANN, "c1", i);
        }
        AckResult.Refused refused = (AckResult.Refused) Stages.now(narrow.acknowledge(ANN, "c1", 4));
        assertThat(refused.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused.retryAfter()).isPositive();
        time.run();
        assertThat(held(narrow.acknowledge(ANN, "c1", 4))).isEqualTo(new Cursor(4, 0));
    }

    @Test
    void aLargeBurstIsWrittenInParts() {
        conversation("c1", 1);
        CursorManager one = manager(new CursorPolicy(1, 1000, 10));
        List<CompletionStage<AckResult>> stages = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            stages.add(one.acknowledge(new DeviceId("ann", "device" + i), "c1", 1));
        }
        time.run();
        assertThat(cursors.calls).containsExactly("get 10", "advance 10", "get 10", "advance 10", "get 5", "advance 5");
        assertThat(stages).allSatisfy(stage -> assertThat(held(stage)).isEqualTo(new Cursor(1, 0)));
    }

    @Test
    void anExecutorThatRefusesIsAnAnswer() {
        CursorManager manager = new CursorManager(
                cursors,
                log,
                members,
                CursorPolicy.defaults(),
                Rendered.none(),
                new Threads(
                        task -> {
                            throw new RejectedExecutionException();
                        },
                        time,
                        time),
                listener);
        manager.start();
        assertThat(code(manager.acknowledge(ANN, "c1", 1))).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    @DisplayName("H37: shutting down writes what was acknowledged")
    void shuttingDownWritesWhatThereIs() {
        conversation("c1", 10);
        CompletionStage<AckResult> accepted = manager.acknowledge(ANN, "c1", 10);
        CompletionStage<Void> end = manager.shutdown(Duration.ofSeconds(1));
        assertThat(code(manager.acknowledge(ANN, "c1", 10))).isEqualTo(ErrorCode.CLOSED);
        assertThat(held(accepted)).isEqualTo(new Cursor(10, 0));
        assertThat(Stages.isDone(end)).isTrue();
        assertThat(stored("c1")).isEqualTo(new Cursor(10, 0));
    }

    @Test
    void whatHangsAtTheDeadlineIsAnsweredTruthfully() {
        conversation("c1", 10);
        List<CompletionStage<?>> stages = new ArrayList<>();
        CursorManager one = manager(CursorPolicy.defaults().withLanes(1));
        CompletionStage<AckResult> inStore = one.acknowledge(ANN, "c1", 10);
        cursors.beforeAdvance = () -> {
            stages.add(one.acknowledge(ANN, "c1", 9));
            stages.add(one.shutdown(Duration.ofSeconds(1)));
            time.advance(Duration.ofSeconds(1));
        };
        time.run();
        assertThat(code(inStore)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(((AckResult.Refused) Stages.now(stages.get(0))).code()).isEqualTo(ErrorCode.CLOSED);
        assertThat(Stages.isDone(stages.get(1))).isTrue();
    }

    @Test
    void theBlockingFormThrowsWhatTheOtherAnswers() {
        assertThatThrownBy(() -> manager.acknowledgeAndWait(ANN, "", 1))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID));
    }

    private CursorManager manager(CursorPolicy policy) {
        CursorManager one = new CursorManager(
                cursors,
                log,
                members,
                policy,
                (device, conversation, upTo) -> rendered.add(device.device() + " " + conversation + " " + upTo),
                new Threads(time, time, time),
                listener);
        one.start();
        return one;
    }

    private void conversation(String conversation, int count) {
        members.join(conversation, "ann", 1);
        for (int i = 1; i <= count; i++) {
            messages.append(List.of(Draft.of(conversation, "bob", "m" + i, Body.empty())));
        }
    }

    private Cursor stored(String conversation) {
        return cursors.real.get(List.of(ANN.in(conversation))).get(ANN.in(conversation));
    }

    private Cursor held(CompletionStage<AckResult> stage) {
        time.run();
        return ((AckResult.Acknowledged) Stages.now(stage)).held();
    }

    private ErrorCode code(CompletionStage<AckResult> stage) {
        time.run();
        return ((AckResult.Refused) Stages.now(stage)).code();
    }

    private static String invalid(CompletionStage<AckResult> stage) {
        AckResult.Refused refused = (AckResult.Refused) Stages.now(stage);
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID);
        return refused.refusal().field();
    }

    /** Remembers what it is asked, and fails on demand. */
    private static final class ScriptedCursorStore implements CursorStore {

        private final InMemoryCursorStore real = new InMemoryCursorStore();
        private final List<String> calls = new ArrayList<>();
        private Runnable beforeAdvance = () -> {};
        private RuntimeException fault;

        @Override
        public Map<CursorKey, Cursor> advance(Map<CursorKey, Cursor> marks) {
            calls.add("advance " + marks.size());
            beforeAdvance.run();
            check();
            return real.advance(marks);
        }

        @Override
        public Map<CursorKey, Cursor> get(Collection<CursorKey> keys) {
            calls.add("get " + keys.size());
            return real.get(keys);
        }

        @Override
        public Cursor reset(CursorKey key, long seq) {
            check();
            return real.reset(key, seq);
        }

        @Override
        public KeyPage<Held> list(DeviceId device, String after, int limit) {
            throw new UnsupportedOperationException();
        }

        private void check() {
            if (fault != null) {
                throw fault;
            }
        }
    }
}
