package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.refused;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.StorageException;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.ScriptedMessageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Rates, the host's own rules, and the age of messages")
class AdmissionTest {

    /** As many messages as the test says, and then a wait. */
    private static final class Purse implements SendLimiter {

        private final Map<String, Integer> spent = new HashMap<>();
        private final int most;
        private Duration wait = Duration.ofMillis(1500);

        Purse(int most) {
            this.most = most;
        }

        @Override
        public Duration charge(String sender, String kind) {
            if (spent(sender) >= most) {
                return wait;
            }
            spent.merge(sender, 1, Integer::sum);
            return Duration.ZERO;
        }

        @Override
        public void refund(String sender, String kind) {
            spent.merge(sender, -1, Integer::sum);
        }

        int spent(String sender) {
            return spent.getOrDefault(sender, 0);
        }
    }

    private final SendFixture fixture = new SendFixture();
    private final Purse purse = new Purse(2);

    @Test
    void whoIsTooFastIsToldTheExactWait() {
        SendPipeline pipeline = over(SendAuthorizer.all(), purse, 100);
        List<CompletionStage<SendResult>> stages = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            stages.add(pipeline.send(request("m" + i)));
        }
        CompletionStage<SendResult> bob = pipeline.send(SendRequest.of("c1", "bob", "m1", "x"));
        fixture.time.skip(Duration.ofMillis(100));
        fixture.run();
        assertThat(stored(stages.get(1)).seq()).isEqualTo(2);
        assertThat(code(stages.get(2))).isEqualTo(ErrorCode.TOO_FAST);
        assertThat(refused(stages.get(2)).retryAfter()).isEqualTo(Duration.ofMillis(1400));
        assertThat(stored(bob).seq()).isEqualTo(3);
        assertThat(fixture.stored("c1")).containsExactly("m1", "m2", "m1");
        assertThat(fixture.listener.count("refused TOO_FAST c1")).isEqualTo(1);
    }

    @Test
    @DisplayName("P3: a known repeat is answered however fast it comes, and costs nothing")
    void aKnownRepeatIsAnsweredBeforeTheRateIsCharged() {
        SendPipeline pipeline = over(SendAuthorizer.all(), purse, 100);
        pipeline.send(request("m1"));
        fixture.run();
        for (int i = 0; i < 5; i++) {
            CompletionStage<SendResult> repeat = pipeline.send(request("m1"));
            fixture.run();
            assertThat(stored(repeat).duplicate()).isTrue();
            assertThat(purse.spent("ann")).isEqualTo(1);
        }
        pipeline.send(request("m2"));
        fixture.run();
        CompletionStage<SendResult> repeat = pipeline.send(request("m2"));
        CompletionStage<SendResult> other = pipeline.send(SendRequest.of("c1", "ann", "m2", "another body"));
        CompletionStage<SendResult> fresh = pipeline.send(request("m3"));
        fixture.run();
        assertThat(stored(repeat).seq()).isEqualTo(2);
        assertThat(stored(repeat).duplicate()).isTrue();
        assertThat(code(other)).isEqualTo(ErrorCode.CONFLICT);
        assertThat(code(fresh)).isEqualTo(ErrorCode.TOO_FAST);
        assertThat(purse.spent("ann")).isEqualTo(2);
    }

    @Test
    void whatNeverHadAPlaceIsRefunded() {
        Purse few = new Purse(100);
        SendPipeline pipeline = over(SendAuthorizer.all(), few, 1);
        CompletionStage<SendResult> first = pipeline.send(request("m1"));
        CompletionStage<SendResult> second = pipeline.send(request("m2"));
        assertThat(code(second)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(few.spent("ann")).isEqualTo(1);
        fixture.run();
        assertThat(stored(first).seq()).isEqualTo(1);
    }

    @Test
    void theTooFastTakeNoPlacesWhenTheseAreNeeded() {
        SendPipeline pipeline = over(SendAuthorizer.all(), new Purse(4), 16);
        for (int i = 1; i <= 4; i++) {
            pipeline.send(request("m" + i));
        }
        CompletionStage<SendResult> fast = pipeline.send(request("m5"));
        assertThat(code(fast)).isEqualTo(ErrorCode.TOO_FAST);
        assertThat(refused(fast).retryAfter()).isEqualTo(Duration.ofMillis(1500));
        assertThat(fixture.listener.count("refused TOO_FAST c1")).isEqualTo(1);
        fixture.run();
        assertThat(fixture.stored("c1")).hasSize(4);
    }

    @Test
    void aStoreThatCannotLookUpLeavesTheTooFastTooFast() {
        SendPipeline pipeline = over(SendAuthorizer.all(), new Purse(0), 100);
        fixture.store.failFinds(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
        CompletionStage<SendResult> fast = pipeline.send(request("m1"));
        fixture.run();
        assertThat(code(fast)).isEqualTo(ErrorCode.TOO_FAST);
    }

    @Test
    @DisplayName("H28: a limiter that throws is logged once, and nobody is limited")
    void aLimiterThatThrowsLimitsNobody() {
        SendPipeline pipeline = over(
                SendAuthorizer.all(),
                new SendLimiter() {
                    @Override
                    public Duration charge(String sender, String kind) {
                        throw new IllegalStateException("the host's");
                    }

                    @Override
                    public void refund(String sender, String kind) {
                        throw new IllegalStateException("the host's");
                    }
                },
                100);
        try (Logs logs = new Logs()) {
            for (int i = 0; i < 5; i++) {
                CompletionStage<SendResult> stage = pipeline.send(request("m1"));
                fixture.run();
                assertThat(stored(stage).seq()).isEqualTo(1);
            }
            assertThat(logs.lines()).hasSize(1);
        }
    }

    @Test
    void theHostsRulesAreAskedOnceForABatchAndOnlyAboutMembers() {
        List<List<String>> asked = new ArrayList<>();
        SendPipeline pipeline = over(
                drafts -> {
                    asked.add(drafts.stream().map(Draft::messageId).toList());
                    return SendAuthorizer.each(draft -> draft.messageId().equals("m2") ? "ann is muted" : null)
                            .refusals(drafts);
                },
                SendLimiter.none(),
                100);
        CompletionStage<SendResult> first = pipeline.send(request("m1"));
        CompletionStage<SendResult> second = pipeline.send(request("m2"));
        CompletionStage<SendResult> eve = pipeline.send(SendRequest.of("c1", "eve", "m3", "x"));
        fixture.run();
        assertThat(stored(first).seq()).isEqualTo(1);
        assertThat(code(second)).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(refused(second).refusal().detail()).endsWith("ann is muted");
        assertThat(refused(second).retryAfter()).isNull();
        assertThat(code(eve)).isEqualTo(ErrorCode.NOT_A_MEMBER);
        assertThat(asked).containsExactly(List.of("m1", "m2"));
    }

    @Test
    @DisplayName("P3: a known repeat of somebody who is muted since is answered by the first receipt")
    void aKnownRepeatIsAnsweredBeforeTheHostsRules() {
        boolean[] muted = {false};
        SendPipeline pipeline = over(SendAuthorizer.each(draft -> muted[0] ? "muted" : null), SendLimiter.none(), 100);
        pipeline.send(request("m1"));
        fixture.run();
        muted[0] = true;
        CompletionStage<SendResult> repeat = pipeline.send(request("m1"));
        CompletionStage<SendResult> fresh = pipeline.send(request("m2"));
        fixture.run();
        assertThat(stored(repeat).duplicate()).isTrue();
        assertThat(code(fresh)).isEqualTo(ErrorCode.NOT_ALLOWED);
    }

    @Test
    @DisplayName(
            "H28: an authorizer that throws, or answers too little, makes the send unavailable and the lane goes on")
    void anAuthorizerThatFails() {
        int[] call = {0};
        SendPipeline pipeline = over(
                drafts -> {
                    call[0]++;
                    if (call[0] == 1) {
                        throw new IllegalStateException("the host's");
                    }
                    List<String> one = new ArrayList<>();
                    one.add(null);
                    return call[0] == 2 ? one : List.of();
                },
                SendLimiter.none(),
                100);
        CompletionStage<SendResult> thrown = pipeline.send(request("m1"));
        fixture.run();
        CompletionStage<SendResult> tooLittle = pipeline.send(request("m1"));
        CompletionStage<SendResult> neighbour = pipeline.send(request("m2"));
        fixture.run();
        CompletionStage<SendResult> next = pipeline.send(request("m1"));
        fixture.run();
        assertThat(code(thrown)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refused(thrown).retryAfter()).isPositive();
        assertThat(code(tooLittle)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(code(neighbour)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(stored(next).seq()).isEqualTo(1);
    }

    @Test
    void aMessageOlderThanTheHorizonIsExpired() {
        SendPipeline pipeline = over(SendAuthorizer.all(), SendLimiter.none(), 100);
        CompletionStage<SendResult> old = pipeline.send(request("m1")
                .createdAt(
                        fixture.time.clock().instant().minus(Duration.ofDays(30).plusMillis(1))));
        CompletionStage<SendResult> young = pipeline.send(
                request("m2").createdAt(fixture.time.clock().instant().minus(Duration.ofDays(30))));
        CompletionStage<SendResult> early = pipeline.send(
                request("m3").createdAt(fixture.time.clock().instant().plus(Duration.ofDays(300))));
        fixture.run();
        assertThat(code(old)).isEqualTo(ErrorCode.EXPIRED);
        assertThat(refused(old).retryAfter()).isNull();
        assertThat(stored(young).seq()).isEqualTo(1);
        assertThat(stored(early).seq()).isEqualTo(2);
    }

    private static SendRequest request(String messageId) {
        return SendRequest.of("c1", "ann", messageId, "hello " + messageId);
    }

    private SendPipeline over(SendAuthorizer authorizer, SendLimiter limiter, int capacity) {
        SendPipeline pipeline = SendPipeline.over(
                        fixture.store, fixture.members, new Threads(fixture.time, fixture.time, fixture.time))
                .policy(SendPolicy.defaults().withLanes(1).withQueueCapacity(capacity))
                .authorizer(authorizer)
                .limiter(limiter)
                .clock(fixture.time.clock())
                .listener(fixture.listener)
                .build();
        pipeline.start();
        return pipeline;
    }
}
