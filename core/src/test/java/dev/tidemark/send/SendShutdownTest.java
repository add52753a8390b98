package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.refused;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.StorageException;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("H37: shutting down")
class SendShutdownTest {

    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final SendFixture fixture = new SendFixture();

    @Test
    void acceptedSendsFinishAndNewOnesAreRefused() {
        List<CompletionStage<SendResult>> accepted = new ArrayList<>();
        for (int i = 1; i <= 1000; i++) {
            accepted.add(fixture.send("c1", "m" + i));
        }
        CompletionStage<Void> end = fixture.pipeline.shutdown(DEADLINE);
        CompletionStage<SendResult> tooLate = fixture.send("c1", "m1001");
        assertThat(code(tooLate)).isEqualTo(ErrorCode.CLOSED);
        assertThat(refused(tooLate).refusal().retryable()).isTrue();
        assertThat(Stages.isDone(end)).isFalse();
        fixture.run();
        assertThat(Stages.isDone(end)).isTrue();
        assertThat(accepted)
                .allSatisfy(stage -> assertThat(stored(stage).duplicate()).isFalse());
        fixture.time.advance(Duration.ofSeconds(11));
        assertThat(fixture.time.timers()).isZero();
    }

    @Test
    void beforeTheStartEverythingIsRefused() {
        SendPipeline pipeline = SendPipeline.over(
                        fixture.store, fixture.members, new Threads(fixture.time, fixture.time, fixture.time))
                .pusher(announcement -> {})
                .listener(fixture.listener)
                .build();
        assertThat(code(pipeline.send(SendRequest.of("c1", "ann", "m1", "x")))).isEqualTo(ErrorCode.CLOSED);
        assertThat(code(pipeline.send(SendRequest.of("", "ann", "m1", "x")))).isEqualTo(ErrorCode.CLOSED);
        assertThat(fixture.listener.events()).isEmpty();
        assertThat(Stages.isDone(pipeline.shutdown(DEADLINE))).isTrue();
    }

    @Test
    void aReplayIsFinishedFirst() {
        fixture.store.loseAnswerNext();
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        fixture.run();
        CompletionStage<Void> end = fixture.pipeline.shutdown(DEADLINE);
        assertThat(Stages.isDone(end)).isFalse();
        fixture.time.advance(Duration.ofMillis(50));
        assertThat(stored(m1).seq()).isEqualTo(1);
        assertThat(Stages.isDone(end)).isTrue();
    }

    @Test
    void atTheDeadlineEverybodyIsAnsweredTruthfully() {
        for (int i = 0; i < 100; i++) {
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        }
        CompletionStage<SendResult> unknown = fixture.send("c1", "m1");
        fixture.run();
        CompletionStage<SendResult> waiting = fixture.send("c2", "m2");
        CompletionStage<Void> end = fixture.pipeline.shutdown(DEADLINE);
        fixture.time.advance(DEADLINE.minusMillis(1));
        assertThat(Stages.isDone(end)).isFalse();
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(Stages.isDone(end)).isTrue();
        assertThat(code(unknown)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(code(waiting)).isEqualTo(ErrorCode.CLOSED);
        int calls = fixture.store.calls().size();
        fixture.time.advance(Duration.ofMinutes(10));
        assertThat(fixture.store.calls()).hasSize(calls);
        assertThat(fixture.stored("c2")).isEmpty();
    }

    @Test
    void aHeldConversationIsClosedAtTheDeadline() {
        fixture.memory.hold("c1");
        CompletionStage<SendResult> held = fixture.send("c1", "m1");
        CompletionStage<Void> end = fixture.pipeline.shutdown(Duration.ofMillis(15));
        fixture.time.advance(Duration.ofMillis(15));
        assertThat(code(held)).isEqualTo(ErrorCode.CLOSED);
        assertThat(Stages.isDone(end)).isTrue();
        int calls = fixture.store.calls().size();
        fixture.time.advance(Duration.ofMinutes(1));
        assertThat(fixture.store.calls()).hasSize(calls);
    }

    @Test
    void whatTheStoreHasAtTheDeadlineIsUnknownAndStillPushedIfItSucceeds() {
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        List<CompletionStage<Void>> end = new ArrayList<>();
        fixture.store.next((real, drafts, wait) -> {
            end.add(fixture.pipeline.shutdown(DEADLINE));
            fixture.time.advance(DEADLINE);
            assertThat(Stages.isDone(end.get(0))).isTrue();
            return real.append(drafts, wait);
        });
        fixture.run();
        assertThat(code(m1)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(fixture.pushed("c1")).containsExactly(1L);
    }

    @Test
    void shuttingDownAgainDoesNoHarm() {
        fixture.send("c1", "m1");
        CompletionStage<Void> one = fixture.pipeline.shutdown(DEADLINE);
        CompletionStage<Void> other = fixture.pipeline.shutdown(DEADLINE);
        fixture.run();
        assertThat(Stages.isDone(one)).isTrue();
        assertThat(Stages.isDone(other)).isTrue();
    }
}
