package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.refused;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.StorageException;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("P8: overload is an answer")
class OverloadTest {

    @Test
    void aFullLaneRefusesAtOnceAndTakesAgainWhenItHasDrained() {
        SendFixture fixture =
                new SendFixture(SendPolicy.defaults().withLanes(1).withQueueCapacity(10), BatchPolicy.defaults());
        List<CompletionStage<SendResult>> taken = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            taken.add(fixture.send("c1", "m" + i));
        }
        CompletionStage<SendResult> tooMuch = fixture.send("c1", "m11");
        assertThat(code(tooMuch)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused(tooMuch).retryAfter()).isPositive();
        assertThat(fixture.listener.events()).containsExactly("refused OVERLOADED c1");
        fixture.run();
        assertThat(taken)
                .allSatisfy(stage -> assertThat(stored(stage).duplicate()).isFalse());
        CompletionStage<SendResult> again = fixture.send("c1", "m11");
        fixture.run();
        assertThat(stored(again).seq()).isEqualTo(11);
    }

    @Test
    void heldConversationsCountAsWellSoMemoryIsBounded() {
        SendFixture fixture =
                new SendFixture(SendPolicy.defaults().withLanes(1).withQueueCapacity(10), BatchPolicy.defaults());
        Runnable release = fixture.memory.hold("c1");
        for (int i = 1; i <= 10; i++) {
            fixture.send("c1", "m" + i);
            fixture.run();
        }
        assertThat(code(fixture.send("c2", "n1"))).isEqualTo(ErrorCode.OVERLOADED);
        release.run();
        fixture.time.advance(Duration.ofSeconds(2));
        assertThat(fixture.stored("c1")).hasSize(10);
        CompletionStage<SendResult> other = fixture.send("c2", "n1");
        fixture.run();
        assertThat(stored(other).seq()).isEqualTo(1);
    }

    @Test
    void whatIsStillWaitingAtItsDeadlineIsOverloadedAndNotStored() {
        SendFixture fixture = new SendFixture();
        CompletionStage<SendResult> stage =
                fixture.send(SendRequest.of("c1", "ann", "m1", "x").withTimeout(Duration.ofMillis(5)));
        CompletionStage<SendResult> other = fixture.send("c1", "m2");
        // The store executor gives the lane no thread in time.
        fixture.time.skip(Duration.ofMillis(5));
        fixture.run();
        assertThat(code(stage)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(stored(other).seq()).isEqualTo(1);
        assertThat(fixture.stored("c1")).containsExactly("m2");
    }

    @Test
    void aStoreThatHangsDoesNotKeepItsCallersPastTheirDeadline() {
        SendFixture fixture = new SendFixture();
        List<CompletionStage<SendResult>> stages = new ArrayList<>();
        fixture.store.next((real, drafts, wait) -> {
            // Two come while the store hangs, for longer than anybody's patience.
            stages.add(fixture.send("c1", "m2"));
            stages.add(fixture.send(SendRequest.of("c1", "ann", "m3", "x").withTimeout(Duration.ofSeconds(60))));
            fixture.time.advance(Duration.ofSeconds(11));
            assertThat(code(stages.get(0))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThat(code(stages.get(1))).isEqualTo(ErrorCode.OVERLOADED);
            assertThat(Stages.isDone(stages.get(2))).isFalse();
            return real.append(drafts, wait);
        });
        stages.add(fixture.send("c1", "m1"));
        fixture.run();
        assertThat(code(stages.get(0))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(stored(stages.get(2)).seq()).isEqualTo(2);
        assertThat(fixture.stored("c1")).containsExactly("m1", "m3");
        // What was stored is pushed, whether its caller is still there or not.
        assertThat(fixture.pushed("c1")).containsExactly(1L, 2L);
    }

    @Test
    void whatIsDeferredTooLateIsLetGo() {
        SendFixture fixture =
                new SendFixture(SendPolicy.defaults().withLanes(1).withQueueCapacity(1), BatchPolicy.defaults());
        fixture.store.next((real, drafts, wait) -> {
            fixture.time.advance(Duration.ofSeconds(11));
            return List.of(AppendResult.Deferred.INSTANCE);
        });
        CompletionStage<SendResult> late = fixture.send("c1", "m1");
        fixture.run();
        // While the store had it, nobody could say that nothing was done.
        assertThat(code(late)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        CompletionStage<SendResult> next = fixture.send("c1", "m2");
        fixture.run();
        assertThat(stored(next).seq()).isEqualTo(1);
    }

    @Test
    void aDeadlineThatIsEarlierThanTheOthersIsKeptAsWell() {
        SendFixture fixture = new SendFixture();
        fixture.memory.hold("c1");
        CompletionStage<SendResult> patient = fixture.send("c1", "m1");
        CompletionStage<SendResult> hurried =
                fixture.send(SendRequest.of("c1", "ann", "m2", "x").withTimeout(Duration.ofMillis(3)));
        fixture.time.advance(Duration.ofMillis(3));
        assertThat(code(hurried)).isEqualTo(ErrorCode.OVERLOADED);
        fixture.time.advance(Duration.ofMillis(9_996));
        assertThat(Stages.isDone(patient)).isFalse();
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(code(patient)).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void anIdleLaneSetsNoTimers() {
        SendFixture fixture = new SendFixture();
        fixture.send("c1", "m1");
        fixture.run();
        fixture.time.advance(Duration.ofSeconds(11));
        assertThat(fixture.time.timers()).isZero();
    }

    @Test
    void anExecutorThatRefusesLosesNoSend() {
        SendFixture fixture = new SendFixture();
        boolean[] refuse = {true};
        SendPipeline pipeline = SendPipeline.over(
                        fixture.store,
                        fixture.members,
                        new Threads(
                                task -> {
                                    if (refuse[0]) {
                                        throw new RejectedExecutionException("full");
                                    }
                                    fixture.time.execute(task);
                                },
                                fixture.time,
                                fixture.time))
                .policy(SendPolicy.defaults().withLanes(1))
                .listener(fixture.listener)
                .build();
        pipeline.start();
        CompletionStage<SendResult> refused = pipeline.send(SendRequest.of("c1", "ann", "m1", "x"));
        fixture.run();
        assertThat(code(refused)).isEqualTo(ErrorCode.OVERLOADED);
        refuse[0] = false;
        fixture.store.loseAnswerNext();
        CompletionStage<SendResult> unknown = pipeline.send(SendRequest.of("c1", "ann", "m2", "x"));
        fixture.run();
        refuse[0] = true;
        fixture.time.advance(Duration.ofSeconds(1));
        assertThat(Stages.isDone(unknown)).isFalse();
        refuse[0] = false;
        fixture.time.advance(Duration.ofSeconds(1));
        assertThat(stored(unknown).seq()).isEqualTo(1);
    }

    @Test
    void completionsThatAreRefusedComeAllTheSame() {
        SendFixture fixture = new SendFixture();
        SendPipeline pipeline = SendPipeline.over(
                        fixture.store,
                        fixture.members,
                        new Threads(
                                fixture.time,
                                task -> {
                                    throw new RejectedExecutionException("full");
                                },
                                fixture.time))
                .policy(SendPolicy.defaults().withLanes(1))
                .listener(fixture.listener)
                .build();
        pipeline.start();
        CompletionStage<SendResult> stage = pipeline.send(SendRequest.of("c1", "ann", "m1", "x"));
        fixture.run();
        assertThat(stored(stage).seq()).isEqualTo(1);
    }

    @Test
    @DisplayName("H28: a pusher or listener that throws is contained")
    void aPusherThatThrowsFailsNoSend() {
        SendFixture fixture = new SendFixture();
        SendPipeline pipeline = SendPipeline.over(
                        fixture.store, fixture.members, new Threads(fixture.time, fixture.time, fixture.time))
                .pusher(announcement -> {
                    throw new IllegalStateException("the host's");
                })
                .policy(SendPolicy.defaults().withLanes(1))
                .listener(fixture.listener)
                .build();
        pipeline.start();
        CompletionStage<SendResult> m1 = pipeline.send(SendRequest.of("c1", "ann", "m1", "x"));
        CompletionStage<SendResult> m2 = pipeline.send(SendRequest.of("c1", "ann", "m2", "x"));
        fixture.run();
        assertThat(stored(m1).seq()).isEqualTo(1);
        assertThat(stored(m2).seq()).isEqualTo(2);
    }

    @Test
    void faultsOfTheStoreAreLoggedOnceWithIdsAndWithoutPayloads() {
        SendFixture fixture = new SendFixture();
        try (Logs logs = new Logs()) {
            for (int i = 0; i < 20; i++) {
                fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
                fixture.send(SendRequest.of("c1", "ann", "m" + i, "a secret"));
                fixture.run();
            }
            assertThat(logs.lines()).hasSize(1);
            assertThat(logs.lines().get(0)).contains("c1").doesNotContain("secret");
            fixture.time.advance(Duration.ofMinutes(1));
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
            fixture.send("c1", "m1");
            fixture.run();
            assertThat(logs.lines()).hasSize(2);
            assertThat(logs.lines().get(1)).contains("19 times");
        }
    }

    @Test
    void aHealthyPathLogsNothing() {
        SendFixture fixture = new SendFixture();
        try (Logs logs = new Logs()) {
            fixture.send("c1", "m1");
            fixture.send(SendRequest.of("c1", "eve", "m1", "x"));
            fixture.send("c1", "m1");
            fixture.run();
            assertThat(logs.lines()).isEmpty();
        }
    }
}
