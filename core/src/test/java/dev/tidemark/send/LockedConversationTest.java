package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.StorageException;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("H41: a node is paused inside an append and holds a conversation's lock")
class LockedConversationTest {

    private static final Duration LOCK_WAIT = Duration.ofNanos(1);

    private final SendFixture fixture = new SendFixture();

    @Test
    void otherConversationsGoOnAtFullSpeed() {
        Runnable release = fixture.memory.hold("c1");
        CompletionStage<SendResult> held = fixture.send("c1", "m1");
        CompletionStage<SendResult> other = fixture.send("c2", "m1");
        fixture.run();
        assertThat(stored(other).seq()).isEqualTo(1);
        assertThat(Stages.isDone(held)).isFalse();
        for (int i = 2; i <= 50; i++) {
            other = fixture.send("c2", "m" + i);
            fixture.run();
            assertThat(stored(other).seq()).isEqualTo(i);
        }
        release.run();
        fixture.time.advance(Duration.ofSeconds(1));
        assertThat(stored(held).seq()).isEqualTo(1);
    }

    @Test
    @DisplayName("H42: its own later sends keep their order behind the deferred ones")
    void laterSendsKeepTheirOrder() {
        Runnable release = fixture.memory.hold("c1");
        for (int i = 1; i <= 5; i++) {
            fixture.send("c1", "m" + i);
            fixture.time.advance(Duration.ofMillis(7));
        }
        release.run();
        for (int i = 6; i <= 9; i++) {
            fixture.send("c1", "m" + i);
            fixture.time.advance(Duration.ofMillis(7));
        }
        fixture.time.advance(Duration.ofSeconds(2));
        assertThat(fixture.stored("c1")).containsExactly("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
        assertThat(fixture.pushed("c1")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void itIsTriedAgainAfterGrowingPauses() {
        fixture.memory.hold("c1");
        fixture.send("c1", "m1").thenAccept(result -> {});
        fixture.run();
        assertThat(fixture.store.calls()).hasSize(1);
        fixture.time.advance(Duration.ofMillis(9));
        assertThat(fixture.store.calls()).hasSize(1);
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(fixture.store.calls()).hasSize(2);
        fixture.time.advance(Duration.ofMillis(19));
        assertThat(fixture.store.calls()).hasSize(2);
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(fixture.store.calls()).hasSize(3);
        assertThat(fixture.listener.events()).containsSubsequence("deferred c1 1", "deferred c1 2", "deferred c1 3");
    }

    @Test
    void afterThreeDeferralsItIsWaitedForAloneAndTheLaneGoesOn() {
        Runnable release = fixture.memory.hold("c1");
        CompletionStage<SendResult> held = fixture.send("c1", "m1");
        fixture.time.advance(Duration.ofMillis(30));
        assertThat(fixture.store.calls())
                .extracting(ScriptedMessageStore.Call::lockWait)
                .containsOnly(Duration.ZERO);
        fixture.store.next((real, drafts, wait) -> {
            assertThat(wait).isEqualTo(LOCK_WAIT);
            // While this waits, on a thread of its own, the lane writes for others and keeps away from this one.
            CompletionStage<SendResult> other = fixture.send("c2", "n1");
            CompletionStage<SendResult> later = fixture.send("c1", "m2");
            fixture.run();
            assertThat(stored(other).seq()).isEqualTo(1);
            assertThat(Stages.isDone(later)).isFalse();
            release.run();
            return real.append(drafts, wait);
        });
        fixture.time.advance(Duration.ofMillis(40));
        assertThat(stored(held).seq()).isEqualTo(1);
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(fixture.stored("c1")).containsExactly("m1", "m2");
        assertThat(fixture.pushed("c1")).containsExactly(1L, 2L);
    }

    @Test
    void whatExceedsTheShareOfALockedConversationIsHeldWithIt() {
        SendFixture narrow = new SendFixture(
                SendPolicy.defaults().withLanes(1).withLockWait(LOCK_WAIT),
                BatchPolicy.defaults().withMaxPerConversation(2));
        Runnable release = narrow.memory.hold("c1");
        for (int i = 1; i <= 5; i++) {
            narrow.send("c1", "m" + i);
        }
        narrow.run();
        assertThat(narrow.store.calls()).hasSize(1);
        narrow.time.advance(Duration.ofMillis(9));
        assertThat(narrow.store.calls()).hasSize(1);
        release.run();
        narrow.time.advance(Duration.ofSeconds(1));
        assertThat(narrow.stored("c1")).containsExactly("m1", "m2", "m3", "m4", "m5");
        assertThat(narrow.store.calls()).hasSize(4);
    }

    @Test
    void onceItGoesOnItIsAConversationLikeAnyOther() {
        Runnable release = fixture.memory.hold("c1");
        fixture.send("c1", "m1").thenAccept(result -> {});
        fixture.time.advance(Duration.ofMillis(100));
        release.run();
        fixture.time.advance(Duration.ofSeconds(2));
        int calls = fixture.store.calls().size();
        CompletionStage<SendResult> next = fixture.send("c1", "m2");
        fixture.run();
        assertThat(stored(next).seq()).isEqualTo(2);
        assertThat(fixture.store.calls()).hasSize(calls + 1);
        assertThat(fixture.store.calls().get(calls).lockWait()).isZero();
    }

    @Test
    void itsSendersGetAnAnswerByTheirDeadline() {
        Runnable release = fixture.memory.hold("c1");
        CompletionStage<SendResult> hurried =
                fixture.send(SendRequest.of("c1", "ann", "m1", "x").withTimeout(Duration.ofMillis(25)));
        CompletionStage<SendResult> patient = fixture.send("c1", "m2");
        fixture.time.advance(Duration.ofMillis(24));
        assertThat(Stages.isDone(hurried)).isFalse();
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(code(hurried)).isEqualTo(ErrorCode.OVERLOADED);
        release.run();
        fixture.time.advance(Duration.ofSeconds(1));
        assertThat(stored(patient).seq()).isEqualTo(1);
        // Deferred means that nothing happened, so what was answered like that is not stored behind anybody's back.
        assertThat(fixture.stored("c1")).containsExactly("m2");
    }

    @Test
    void onlySoManyAreWaitedForAtOnceAndTheOthersStayHeld() {
        Deque<Runnable> threads = new ArrayDeque<>();
        SendFixture narrow = new SendFixture(
                SendPolicy.defaults().withLanes(1).withLockWaiters(1).withLockWait(LOCK_WAIT),
                BatchPolicy.defaults(),
                threads::add);
        List<Runnable> releases = List.of(narrow.memory.hold("c1"), narrow.memory.hold("c2"));
        CompletionStage<SendResult> c1 = narrow.send("c1", "m1");
        CompletionStage<SendResult> c2 = narrow.send("c2", "m1");
        for (int i = 0; i < 40; i++) {
            narrow.time.advance(Duration.ofMillis(1));
            runAll(threads);
        }
        narrow.store.calls().clear();
        narrow.time.advance(Duration.ofMillis(100));
        threads.remove().run();
        // One of them has the only place; what it waits on is on a thread that this test does not run yet.
        assertThat(threads).hasSize(1);
        releases.forEach(Runnable::run);
        for (int i = 0; i < 40; i++) {
            narrow.time.advance(Duration.ofMillis(50));
            runAll(threads);
        }
        assertThat(stored(c1).seq()).isEqualTo(1);
        assertThat(stored(c2).seq()).isEqualTo(1);
        assertThat(narrow.store.calls())
                .filteredOn(call -> !call.lockWait().isZero())
                .hasSize(2);
    }

    @Test
    void anUnknownOutcomeWhileWaitingAloneIsFoundOutToo() {
        Runnable release = fixture.memory.hold("c1");
        CompletionStage<SendResult> held = fixture.send("c1", "m1");
        fixture.time.advance(Duration.ofMillis(30));
        fixture.store.next((real, drafts, wait) -> {
            release.run();
            real.append(drafts, wait);
            throw ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME);
        });
        CompletionStage<SendResult> later = fixture.send("c1", "m2");
        fixture.time.advance(Duration.ofSeconds(3));
        assertThat(stored(held).seq()).isEqualTo(1);
        assertThat(stored(later).seq()).isEqualTo(2);
        assertThat(fixture.stored("c1")).containsExactly("m1", "m2");
    }

    private static void runAll(Deque<Runnable> threads) {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }
}
