package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.cursor.CursorPolicy;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.fetch.FetchPolicy;
import dev.tidemark.push.PushPolicy;
import dev.tidemark.send.BatchPolicy;
import dev.tidemark.send.SendPolicy;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryCursorStore;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import java.time.Duration;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TidemarkBuilderTest {

    @Test
    void aMissingPartIsNamed() {
        assertNames("messages", () -> Tidemark.builder().build());
        assertNames(
                "cursors",
                () -> Tidemark.builder().messages(new InMemoryMessageStore()).build());
        assertNames(
                "directory",
                () -> Tidemark.builder()
                        .messages(new InMemoryMessageStore())
                        .cursors(new InMemoryCursorStore())
                        .build());
        assertNames("log", () -> complete().log(new InMemoryMessageStore()).build());
    }

    @Test
    void everySetterChecksAtOnce() {
        assertNames("messages", () -> Tidemark.builder().messages(null));
        assertNames("log", () -> Tidemark.builder().log(null));
        assertNames("cursors", () -> Tidemark.builder().cursors(null));
        assertNames("directory", () -> Tidemark.builder().directory(null));
        assertNames("presence", () -> Tidemark.builder().presence(null));
        assertNames("transport", () -> Tidemark.builder().transport(null));
        assertNames("scheduler", () -> Tidemark.builder().scheduler(null));
        assertNames("storeExecutor", () -> Tidemark.builder().storeExecutor(null));
        assertNames("pushExecutor", () -> Tidemark.builder().pushExecutor(null));
        assertNames("completeOn", () -> Tidemark.builder().completeOn(null));
        assertNames("sendPolicy", () -> Tidemark.builder().sendPolicy(null));
        assertNames("batchPolicy", () -> Tidemark.builder().batchPolicy(null));
        assertNames("pushPolicy", () -> Tidemark.builder().pushPolicy(null));
        assertNames("fetchPolicy", () -> Tidemark.builder().fetchPolicy(null));
        assertNames("cursorPolicy", () -> Tidemark.builder().cursorPolicy(null));
        assertNames("listener", () -> Tidemark.builder().listener(null));
    }

    @Test
    void everyPolicyChecksItsRanges() {
        SendPolicy send = SendPolicy.defaults();
        assertNames("lanes", () -> send.withLanes(0));
        assertNames("queueCapacity", () -> send.withQueueCapacity(0));
        assertNames("timeout", () -> send.withTimeout(Duration.ZERO));
        assertNames("timeout", () -> send.withTimeout(Duration.ofDays(2)));
        assertNames("maxBodyBytes", () -> send.withMaxBodyBytes(0));
        assertNames("lockWait", () -> send.withLockWait(Duration.ofMillis(-1)));
        assertNames("lockWaiters", () -> send.withLockWaiters(0));
        assertNames("maxRows", () -> BatchPolicy.defaults().withMaxRows(0));
        assertNames("maxPerConversation", () -> BatchPolicy.defaults().withMaxPerConversation(0));
        assertNames("maxBytes", () -> BatchPolicy.defaults().withMaxBytes(0));
        assertNames("lanes", () -> PushPolicy.defaults().withLanes(0));
        assertNames("laneCapacity", () -> PushPolicy.defaults().withLaneCapacity(0));
        assertNames("fanOutLanes", () -> PushPolicy.defaults().withFanOutLanes(0));
        assertNames("fanOutCapacity", () -> PushPolicy.defaults().withFanOutCapacity(0));
        assertNames("concurrency", () -> FetchPolicy.defaults().withConcurrency(0));
        assertNames("queueCapacity", () -> FetchPolicy.defaults().withQueueCapacity(-1));
        assertNames("lanes", () -> CursorPolicy.defaults().withLanes(0));
        assertNames("queueCapacity", () -> CursorPolicy.defaults().withQueueCapacity(0));
        assertNames("maxBatch", () -> CursorPolicy.defaults().withMaxBatch(0));
    }

    @Test
    void policiesAreChangedOneValueAtATime() {
        assertThat(SendPolicy.defaults()
                        .withLanes(1)
                        .withQueueCapacity(2)
                        .withTimeout(Duration.ofSeconds(3))
                        .withMaxBodyBytes(4)
                        .withLockWait(Duration.ofSeconds(5))
                        .withLockWaiters(6)
                        .withHorizon(Duration.ofSeconds(7)))
                .isEqualTo(new SendPolicy(
                        1, 2, Duration.ofSeconds(3), 4, Duration.ofSeconds(5), 6, Duration.ofSeconds(7)));
        assertThat(BatchPolicy.defaults()
                        .withMaxRows(1)
                        .withMaxPerConversation(2)
                        .withMaxBytes(3)
                        .withLinger(Duration.ofMillis(4))
                        .withLingerRows(5))
                .isEqualTo(new BatchPolicy(1, 2, 3, Duration.ofMillis(4), 5));
        assertThat(PushPolicy.defaults()
                        .withLanes(1)
                        .withLaneCapacity(2)
                        .withFanOutLanes(3)
                        .withFanOutCapacity(4)
                        .withLargeGroup(5)
                        .withNoticeInterval(Duration.ofSeconds(6))
                        .withMaxPending(7)
                        .withRecentBytes(8))
                .isEqualTo(new PushPolicy(1, 2, 3, 4, 5, Duration.ofSeconds(6), 7, 8));
        assertThat(FetchPolicy.defaults().withConcurrency(1).withQueueCapacity(2))
                .isEqualTo(new FetchPolicy(1, 2));
        assertThat(CursorPolicy.defaults().withLanes(1).withQueueCapacity(2).withMaxBatch(3))
                .isEqualTo(new CursorPolicy(1, 2, 3));
    }

    @Test
    void overALogThereIsNothingToSendWith() {
        Supplier<Tidemark> reader = () -> Tidemark.builder()
                .log(new InMemoryMessageStore())
                .cursors(new InMemoryCursorStore())
                .directory(new InMemoryConversationDirectory())
                .build();
        assertNames("messages", () -> reader.get().sendPipeline());
        assertThat(reader.get().fetchService()).isNotNull();
        assertThat(reader.get().cursorManager()).isNotNull();
    }

    static TidemarkBuilder complete() {
        return Tidemark.builder()
                .messages(new InMemoryMessageStore())
                .cursors(new InMemoryCursorStore())
                .directory(new InMemoryConversationDirectory());
    }

    private static void assertNames(String field, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo(field));
    }
}
