package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.refused;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.push.Announcement;
import dev.tidemark.storage.PartitionedMessageStore;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("P8: load is watched, optional work left out in order and taken up again")
class GovernorTest {

    private final SendFixture fixture = new SendFixture();
    private final List<Announcement> announced = new ArrayList<>();
    private final List<StoredMessage> indexed = new ArrayList<>();
    private final SendPipeline pipeline = start(100);
    private final Governor governor = pipeline.governors().get(0);

    @Test
    void aQueueThatGrowsLeavesOutPushBodiesThenTheIndexAndStoresAllTheSame() {
        for (int i = 0; i < 100; i++) {
            pipeline.send(SendRequest.of("c1", "ann", "m" + i, "x"));
        }
        assertThat(governor.load()).isEqualTo(1);
        fixture.run();
        // Batches of ten: the first begins at a load of 1, the load falls as they are answered.
        assertThat(fixture.stored("c1")).hasSize(100);
        assertThat(fixture.listener.events().stream().filter(event -> event.contains("_") || event.contains("INDEX")))
                .containsExactly(
                        "left out PUSH_BODIES 0", "left out INDEX 0", "taken up INDEX 0", "taken up PUSH_BODIES 0");
        assertThat(indexed).hasSizeBetween(10, 90);
        assertThat(announced).hasSize(100);
        assertThat(announced.stream().filter(Announcement::noticeOnly).count()).isBetween(indexed.size() / 2L, 99L);
        assertThat(announced.get(99).noticeOnly()).isFalse();
    }

    @Test
    void slowCommitsAndFailuresCountAsLoadAndAreForgotten() {
        for (int i = 0; i < 20; i++) {
            fixture.store.next((real, drafts, wait) -> {
                fixture.time.skip(Duration.ofMillis(800));
                return real.append(drafts, wait);
            });
            pipeline.send(SendRequest.of("c1", "ann", "slow" + i, "x"));
            fixture.run();
        }
        assertThat(governor.load()).isBetween(0.7, 0.8);
        assertThat(governor.leavesOut(OptionalWork.PUSH_BODIES)).isTrue();
        fixture.time.advance(Duration.ofSeconds(6));
        assertThat(governor.load()).isZero();
        assertThat(governor.leavesOut(OptionalWork.PUSH_BODIES)).isFalse();

        for (int i = 0; i < 20; i++) {
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
            pipeline.send(SendRequest.of("c1", "ann", "down" + i, "x"));
            fixture.run();
        }
        assertThat(governor.load()).isGreaterThan(0.9);
        assertThat(governor.leavesOut(OptionalWork.INDEX)).isTrue();
    }

    @Test
    void aSwitchCanBePinnedByHandAndIsSeen() {
        governor.pin(OptionalWork.INDEX, Governor.Switch.OFF);
        assertThat(governor.leavesOut(OptionalWork.INDEX)).isTrue();
        assertThat(governor.leavesOut(OptionalWork.PUSH_BODIES)).isFalse();
        pipeline.send(SendRequest.of("c1", "ann", "m1", "x"));
        fixture.run();
        assertThat(indexed).isEmpty();
        governor.pin(OptionalWork.INDEX, Governor.Switch.AUTO);
        governor.pin(OptionalWork.PUSH_BODIES, Governor.Switch.ON);
        for (int i = 0; i < 100; i++) {
            pipeline.send(SendRequest.of("c1", "ann", "n" + i, "x"));
        }
        fixture.run();
        assertThat(announced).noneMatch(Announcement::noticeOnly);
        assertThat(fixture.listener.events()).contains("left out INDEX 0", "taken up INDEX 0");
    }

    @Test
    void hintsGrowWithFailuresAndShrinkAgain() {
        List<Duration> hints = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
            CompletionStage<SendResult> send = pipeline.send(SendRequest.of("c1", "ann", "m" + i, "x"));
            fixture.run();
            hints.add(refused(send).retryAfter());
        }
        assertThat(hints).isSorted().doesNotHaveDuplicates();
        pipeline.send(SendRequest.of("c1", "ann", "m9", "x"));
        fixture.run();
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
        CompletionStage<SendResult> send = pipeline.send(SendRequest.of("c1", "ann", "m10", "x"));
        fixture.run();
        assertThat(refused(send).retryAfter()).isLessThanOrEqualTo(hints.get(0));
    }

    @Test
    @DisplayName("H38: 10,000 clients that fail at once are sent away to come back below capacity")
    void aRetryStorm() {
        // A store that takes 1 ms for each message: a capacity of 1,000 a second.
        SendPipeline narrow = start(500);
        teachRate(narrow);
        List<CompletionStage<SendResult>> wave = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            wave.add(narrow.send(SendRequest.of("c1", "ann", "m" + i, "x")));
        }
        List<Long> back = wave.stream()
                .filter(Stages::isDone)
                .map(stage -> refused(stage).retryAfter().toMillis())
                .sorted()
                .toList();
        assertThat(back).hasSize(9_500);
        // In no second more come back than can be stored in it, without any jitter of theirs.
        for (int first = 0; first + 1_100 < back.size(); first++) {
            assertThat(back.get(first + 1_100) - back.get(first)).isGreaterThanOrEqualTo(1_000);
        }
        assertThat(back.get(back.size() - 1)).isLessThanOrEqualTo(30_000L);
    }

    @Test
    @DisplayName("H45: a partition that is down has its own queue, hint and switches; the others go on")
    void aPartitionThatIsDown() {
        ScriptedMessageStore broken = new ScriptedMessageStore(new InMemoryMessageStore(fixture.time.clock()));
        ScriptedMessageStore sound = new ScriptedMessageStore(new InMemoryMessageStore(fixture.time.clock()));
        SendPipeline two = SendPipeline.over(
                        PartitionedMessageStore.over(
                                conversation -> conversation.equals("c1") ? 0 : 1, List.of(broken, sound)),
                        fixture.members,
                        new Threads(fixture.time, fixture.time, fixture.time))
                .policy(SendPolicy.defaults().withLanes(1).withQueueCapacity(10))
                .listener(fixture.listener)
                .build();
        two.start();
        Duration before = null;
        for (int i = 0; i < 8; i++) {
            broken.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
            CompletionStage<SendResult> down = two.send(SendRequest.of("c1", "ann", "m" + i, "x"));
            CompletionStage<SendResult> up = two.send(SendRequest.of("c2", "ann", "m" + i, "x"));
            fixture.run();
            assertThat(code(down)).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(stored(up).seq()).isEqualTo(i + 1);
            before = refused(down).retryAfter();
        }
        assertThat(two.governors().get(0).leavesOut(OptionalWork.INDEX)).isTrue();
        assertThat(two.governors().get(1).leavesOut(OptionalWork.INDEX)).isFalse();
        // A full queue of the one is no refusal of the other, and its hint is its own.
        for (int i = 0; i < 11; i++) {
            two.send(SendRequest.of("c2", "ann", "n" + i, "x"));
        }
        CompletionStage<SendResult> tooMuch = two.send(SendRequest.of("c2", "ann", "n11", "x"));
        assertThat(code(tooMuch)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused(tooMuch).retryAfter()).isLessThan(before);
        assertThat(Stages.isDone(two.send(SendRequest.of("c1", "ann", "n1", "x"))))
                .isFalse();
    }

    @Test
    void aPartitionerThatThrowsIsARefusal() {
        SendPipeline lost = SendPipeline.over(
                        PartitionedMessageStore.over(conversation -> 7, List.of(fixture.memory)),
                        fixture.members,
                        new Threads(fixture.time, fixture.time, fixture.time))
                .build();
        lost.start();
        assertThat(code(lost.send(SendRequest.of("c1", "ann", "m1", "x")))).isEqualTo(ErrorCode.UNSUPPORTED);
    }

    private void teachRate(SendPipeline narrow) {
        for (int i = 0; i < 100; i++) {
            fixture.store.next((real, drafts, wait) -> {
                fixture.time.skip(Duration.ofMillis(drafts.size()));
                return real.append(drafts, wait);
            });
            narrow.send(SendRequest.of("c1", "ann", "rate" + i, "x"));
            fixture.run();
        }
    }

    private SendPipeline start(int capacity) {
        SendPipeline one = SendPipeline.over(
                        fixture.store, fixture.members, new Threads(fixture.time, fixture.time, fixture.time))
                .policy(SendPolicy.defaults().withLanes(1).withQueueCapacity(capacity))
                .batchPolicy(BatchPolicy.defaults().withMaxRows(10))
                .indexer(indexed::addAll)
                .pusher(announced::add)
                .listener(fixture.listener)
                .build();
        one.start();
        return one;
    }
}
