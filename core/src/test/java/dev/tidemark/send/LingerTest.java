package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LingerTest {

    private static final Duration LINGER = Duration.ofMillis(20);

    private final SendFixture fixture = fixture(BatchPolicy.defaults());

    private static SendFixture fixture(BatchPolicy policy) {
        return new SendFixture(
                SendPolicy.defaults().withLanes(1).withLockWait(Duration.ofNanos(1)), policy.withLinger(LINGER));
    }

    @Test
    void aLoneMessageWaitsForCompanyThatLong() {
        CompletionStage<SendResult> stage = fixture.send("c1", "m1");
        fixture.time.advance(LINGER.minusNanos(1));
        assertThat(stage.toCompletableFuture()).isNotDone();
        fixture.time.advance(Duration.ofNanos(1));
        assertThat(stored(stage).seq()).isEqualTo(1);
    }

    @Test
    void theWaitBeginsWithTheFirstMessageOfABatch() {
        fixture.send("c1", "m1");
        fixture.time.advance(Duration.ofMillis(15));
        CompletionStage<SendResult> second = fixture.send("c1", "m2");
        fixture.time.advance(Duration.ofMillis(5));
        assertThat(stored(second).seq()).isEqualTo(2);
        assertThat(fixture.listener.count("committed")).isEqualTo(1);
        CompletionStage<SendResult> third = fixture.send("c1", "m3");
        fixture.time.advance(Duration.ofMillis(19));
        assertThat(third.toCompletableFuture()).isNotDone();
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(stored(third).seq()).isEqualTo(3);
    }

    @Test
    void enoughMessagesDoNotWaitAndAnEarlierTimerDoesNotCutTheNextWaitShort() {
        List<CompletionStage<SendResult>> stages = sends(8);
        fixture.run();
        assertThat(stored(stages.get(7)).seq()).isEqualTo(8);
        fixture.time.advance(Duration.ofMillis(10));
        CompletionStage<SendResult> next = fixture.send("c1", "m9");
        fixture.time.advance(Duration.ofMillis(19));
        assertThat(next.toCompletableFuture()).isNotDone();
        fixture.time.advance(Duration.ofMillis(1));
        assertThat(stored(next).seq()).isEqualTo(9);
    }

    @Test
    void itIsSuspendedWhileTheQueueGrowsAndRestoredWhenNothingWaits() {
        SendFixture small = fixture(BatchPolicy.defaults().withMaxRows(10));
        for (int i = 1; i <= 42; i++) {
            small.send("c1", "m" + i);
        }
        small.run();
        // The last two would have lingered.
        assertThat(small.stored("c1")).hasSize(42);
        assertThat(small.listener.count("committed")).isEqualTo(5);
        assertThat(small.listener.count("linger suspended")).isEqualTo(1);
        assertThat(small.listener.count("linger restored")).isEqualTo(1);
        CompletionStage<SendResult> next = small.send("c1", "m43");
        small.run();
        assertThat(next.toCompletableFuture()).isNotDone();
        small.time.advance(LINGER);
        assertThat(stored(next).seq()).isEqualTo(43);
    }

    @Test
    void itCanBePinned() {
        fixture.pipeline.pinLinger(Governor.Switch.OFF);
        CompletionStage<SendResult> first = fixture.send("c1", "m1");
        fixture.run();
        assertThat(stored(first).seq()).isEqualTo(1);

        SendFixture small = fixture(BatchPolicy.defaults().withMaxRows(10));
        small.pipeline.pinLinger(Governor.Switch.ON);
        for (int i = 1; i <= 42; i++) {
            small.send("c1", "m" + i);
        }
        small.run();
        assertThat(small.stored("c1")).hasSize(40);
        small.pipeline.pinLinger(Governor.Switch.AUTO);
        small.run();
        assertThat(small.stored("c1")).hasSize(42);
    }

    @Test
    void aShutdownWaitsForNoCompany() {
        CompletionStage<SendResult> stage = fixture.send("c1", "m1");
        fixture.run();
        CompletionStage<Void> idle = fixture.pipeline.shutdown(Duration.ofMillis(10));
        fixture.run();
        assertThat(stored(stage).seq()).isEqualTo(1);
        assertThat(idle.toCompletableFuture()).isDone();
    }

    @Test
    void aConversationThatStoodAsideWaitsForNoCompany() {
        SendFixture shared = fixture(BatchPolicy.defaults().withMaxPerConversation(4));
        for (int i = 1; i <= 8; i++) {
            shared.send("c1", "m" + i);
        }
        shared.run();
        assertThat(shared.stored("c1")).hasSize(8);
    }

    @Test
    void theListenerIsToldHowLongABatchWaited() {
        fixture.send("c1", "m1");
        fixture.time.advance(Duration.ofMillis(5));
        fixture.send("c1", "m2");
        fixture.time.advance(LINGER);
        assertThat(fixture.listener.all())
                .containsSubsequence(
                        "queued 1",
                        "queued 2",
                        "batch 2 20",
                        "authorized 2 0",
                        "committed 2",
                        "stored c1 1 20",
                        "stored c1 2 15");
    }

    @Test
    void theRangesAreChecked() {
        BatchPolicy policy = BatchPolicy.defaults();
        assertNamed("linger", () -> policy.withLinger(Duration.ofNanos(-1)));
        assertNamed("linger", () -> policy.withLinger(Duration.ofMillis(1001)));
        assertNamed("lingerRows", () -> policy.withLingerRows(0));
    }

    private List<CompletionStage<SendResult>> sends(int count) {
        List<CompletionStage<SendResult>> stages = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            stages.add(fixture.send("c1", "m" + i));
        }
        return stages;
    }

    private static void assertNamed(String field, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo(field));
    }
}
