package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.StorageException;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("H6: the connection dies at COMMIT")
class UnknownOutcomeTest {

    private final SendFixture fixture = new SendFixture();

    @Test
    void aCommitWhoseAnswerWasLostIsFoundByTheReplay() {
        fixture.store.loseAnswerNext();
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        CompletionStage<SendResult> m2 = fixture.send("c2", "m2");
        fixture.run();
        assertThat(Stages.isDone(m1)).isFalse();
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(stored(m1).seq()).isEqualTo(1);
        assertThat(stored(m2).seq()).isEqualTo(1);
        assertThat(fixture.stored("c1")).containsExactly("m1");
        assertThat(fixture.pushed("c1")).containsExactly(1L);
        assertThat(fixture.pushed("c2")).containsExactly(1L);
        assertThat(fixture.store.calls().get(0).drafts())
                .isEqualTo(fixture.store.calls().get(1).drafts());
    }

    @Test
    void aCommitThatDidNotHappenIsMadeByTheReplay() {
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        fixture.run();
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(stored(m1))
                .extracting(SendResult.Stored::seq, SendResult.Stored::duplicate)
                .containsExactly(1L, false);
        assertThat(fixture.stored("c1")).containsExactly("m1");
    }

    @Test
    void nobodyOvertakesWhatIsNotKnown() {
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        fixture.send("c1", "m1").thenAccept(result -> {});
        fixture.run();
        CompletionStage<SendResult> m2 = fixture.send("c1", "m2");
        fixture.run();
        fixture.time.advance(Duration.ofMillis(149));
        assertThat(Stages.isDone(m2)).isFalse();
        assertThat(fixture.store.calls()).hasSize(2);
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(fixture.stored("c1")).containsExactly("m1", "m2");
        assertThat(fixture.listener.events()).containsSubsequence("unknown 1 1", "unknown 1 2", "committed 1");
    }

    @Test
    void thePausesGrowToALimit() {
        for (int i = 0; i < 12; i++) {
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        }
        fixture.send("c1", "m1").thenAccept(result -> {});
        fixture.time.advance(Duration.ofMillis(50 + 100 + 200 + 400 + 800 + 1600 + 3200));
        assertThat(fixture.store.calls()).hasSize(8);
        fixture.time.advance(Duration.ofSeconds(15));
        assertThat(fixture.store.calls()).hasSize(11);
    }

    @Test
    void pastItsDeadlineTheCallerIsToldAndTheReplayGoesOnAndPushes() {
        for (int i = 0; i < 6; i++) {
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        }
        CompletionStage<SendResult> m1 =
                fixture.send(SendRequest.of("c1", "ann", "m1", "x").withTimeout(Duration.ofSeconds(1)));
        fixture.time.advance(Duration.ofMillis(999));
        assertThat(Stages.isDone(m1)).isFalse();
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(code(m1)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(fixture.pushed).isEmpty();
        fixture.time.advance(Duration.ofSeconds(5));
        assertThat(fixture.stored("c1")).containsExactly("m1");
        assertThat(fixture.pushed("c1")).containsExactly(1L);
        assertThat(code(m1)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void whatWaitsBehindItUntouchedIsOverloadedAtItsDeadline() {
        for (int i = 0; i < 6; i++) {
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        }
        fixture.send("c1", "m1").thenAccept(result -> {});
        fixture.run();
        CompletionStage<SendResult> m2 =
                fixture.send(SendRequest.of("c1", "ann", "m2", "x").withTimeout(Duration.ofMillis(10)));
        fixture.time.advance(Duration.ofMillis(10));
        assertThat(code(m2)).isEqualTo(ErrorCode.OVERLOADED);
        fixture.time.advance(Duration.ofSeconds(9));
        assertThat(fixture.stored("c1")).containsExactly("m1");
    }

    @Test
    void unavailableDuringTheReplayDoesNotMeanThatNothingHappened() {
        fixture.store.loseAnswerNext();
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(Stages.isDone(m1)).isFalse();
        fixture.time.advance(Duration.ofMillis(100));
        assertThat(stored(m1).seq()).isEqualTo(1);
    }

    @Test
    void aReplayThatCannotEndIsAnsweredAsUnknown() {
        fixture.store.loseAnswerNext();
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.CORRUPT));
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(code(m1)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        CompletionStage<SendResult> m2 = fixture.send("c1", "m2");
        fixture.run();
        assertThat(stored(m2).seq()).isEqualTo(2);
    }

    @Test
    @DisplayName("H6, H41: the dead connection still holds a lock; that conversation is held, the others go on")
    void aReplayThatMeetsALockHoldsUpThatConversationOnly() {
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        CompletionStage<SendResult> m1 =
                fixture.send(SendRequest.of("c1", "ann", "m1", "x").withTimeout(Duration.ofMillis(70)));
        CompletionStage<SendResult> n1 = fixture.send("c2", "n1");
        Runnable release = fixture.memory.hold("c1");
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(stored(n1).seq()).isEqualTo(1);
        assertThat(Stages.isDone(m1)).isFalse();
        CompletionStage<SendResult> n2 = fixture.send("c2", "n2");
        CompletionStage<SendResult> m2 = fixture.send("c1", "m2");
        fixture.run();
        assertThat(stored(n2).seq()).isEqualTo(2);
        // It may have been stored by the attempt that was lost, so nobody may say that nothing was done.
        fixture.time.advance(Duration.ofMillis(20));
        assertThat(code(m1)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        release.run();
        fixture.time.advance(Duration.ofSeconds(2));
        assertThat(stored(m2).seq()).isEqualTo(2);
        assertThat(fixture.stored("c1")).containsExactly("m1", "m2");
        assertThat(fixture.pushed("c1")).containsExactly(1L, 2L);
    }

    @Test
    void whatIsFreshInAReplayIsAnsweredWhenTheStoreIsUnavailable() {
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        Runnable release = fixture.memory.hold("c1");
        fixture.time.advance(Duration.ofMillis(50));
        // m1 is held and unknown; the next batch has it together with a fresh one.
        CompletionStage<SendResult> m2 = fixture.send("c1", "m2");
        fixture.run();
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
        release.run();
        fixture.time.advance(Duration.ofMillis(10));
        assertThat(code(m2)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(Stages.isDone(m1)).isFalse();
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(stored(m1).seq()).isEqualTo(1);
    }

    @Test
    void whoLeftMeanwhileStillLearnsWhatBecameOfAnUnknownSend() {
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        fixture.run();
        fixture.members.leave("c1", "ann", 0);
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(stored(m1).seq()).isEqualTo(1);
    }
}
