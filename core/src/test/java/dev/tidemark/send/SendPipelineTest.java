package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.refused;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.RefusedException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SendPipelineTest {

    private final SendFixture fixture = new SendFixture();

    @Test
    void successMeansStored() {
        CompletionStage<SendResult> stage = fixture.send("c1", "m1");
        assertThat(Stages.isDone(stage)).isFalse();
        fixture.run();
        SendResult.Stored stored = stored(stage);
        StoredMessage message = fixture.memory.after("c1", 0, 1).messages().get(0);
        assertThat(stored)
                .isEqualTo(new SendResult.Stored(
                        "c1", 1, "m1", fixture.time.clock().instant(), false));
        assertThat(message.body().toText()).isEqualTo("hello m1");
        assertThat(message.kind()).isEqualTo("text");
        assertThat(message.countable()).isTrue();
    }

    @Test
    void whatTheRequestSaysIsWhatIsStored() {
        fixture.send(SendRequest.of("c1", "ann", "m1", new byte[] {1, 0, (byte) 0xff})
                .withKind("picture")
                .withCountable(false));
        fixture.run();
        StoredMessage message = fixture.memory.after("c1", 0, 1).messages().get(0);
        assertThat(message.kind()).isEqualTo("picture");
        assertThat(message.countable()).isFalse();
        assertThat(message.body().toBytes()).containsExactly(1, 0, (byte) 0xff);
        assertThat(fixture.pushed).containsExactly(message);
    }

    @Test
    @DisplayName("H2: a repeat gets the first sequence and time, and is pushed again")
    void aRepeatGetsTheFirstReceipt() {
        CompletionStage<SendResult> first = fixture.send("c1", "m1");
        fixture.run();
        fixture.time.advance(Duration.ofSeconds(1));
        CompletionStage<SendResult> repeat = fixture.send("c1", "m1");
        fixture.run();
        assertThat(stored(repeat))
                .isEqualTo(new SendResult.Stored("c1", 1, "m1", stored(first).storedAt(), true));
        assertThat(fixture.stored("c1")).containsExactly("m1");
        assertThat(fixture.pushed("c1")).containsExactly(1L, 1L);
    }

    @Test
    @DisplayName("H4: the same id twice in one batch is one message")
    void theSameIdTwiceInOneBatch() {
        CompletionStage<SendResult> one = fixture.send("c1", "m1");
        CompletionStage<SendResult> other = fixture.send("c1", "m1");
        fixture.run();
        assertThat(fixture.store.calls()).hasSize(1);
        assertThat(stored(one).duplicate()).isFalse();
        assertThat(stored(other).duplicate()).isTrue();
        assertThat(stored(other).seq()).isEqualTo(stored(one).seq());
    }

    @Test
    @DisplayName("H5: the same id with another body or kind is a conflict, and the first stays untouched")
    void theSameIdWithAnotherBody() {
        fixture.send("c1", "m1");
        fixture.run();
        CompletionStage<SendResult> body = fixture.send(SendRequest.of("c1", "ann", "m1", "something else"));
        CompletionStage<SendResult> kind =
                fixture.send(SendRequest.of("c1", "ann", "m1", "hello m1").withKind("notice"));
        fixture.run();
        assertThat(code(body)).isEqualTo(ErrorCode.CONFLICT);
        assertThat(code(kind)).isEqualTo(ErrorCode.CONFLICT);
        assertThat(refused(body).retryAfter()).isNull();
        assertThat(fixture.memory.after("c1", 0, 9).messages())
                .extracting(message -> message.body().toText())
                .containsExactly("hello m1");
        assertThat(fixture.pushed("c1")).containsExactly(1L);
    }

    @Test
    @DisplayName("H43: two senders who use the same id have two messages")
    void twoSendersUseTheSameId() {
        CompletionStage<SendResult> ann = fixture.send(SendRequest.of("c1", "ann", "m1", "from ann"));
        CompletionStage<SendResult> bob = fixture.send(SendRequest.of("c1", "bob", "m1", "from bob"));
        fixture.run();
        assertThat(List.of(stored(ann).seq(), stored(bob).seq())).containsExactly(1L, 2L);
        assertThat(stored(bob).duplicate()).isFalse();
    }

    @Test
    @DisplayName("H7: one message the store cannot hold fails by itself, naming the field")
    void oneBadMessageFailsAlone() {
        fixture.store.next((real, drafts, wait) -> {
            List<AppendResult> results = new ArrayList<>(real.append(List.of(drafts.get(0), drafts.get(2))));
            results.add(1, new AppendResult.Rejected("body", "no such characters"));
            return results;
        });
        CompletionStage<SendResult> m1 = fixture.send("c1", "m1");
        CompletionStage<SendResult> m2 = fixture.send("c1", "m2");
        CompletionStage<SendResult> m3 = fixture.send("c1", "m3");
        fixture.run();
        assertThat(code(m2)).isEqualTo(ErrorCode.UNSTORABLE);
        assertThat(refused(m2).refusal().field()).isEqualTo("body");
        assertThat(List.of(stored(m1).seq(), stored(m3).seq())).containsExactly(1L, 2L);
        assertThat(fixture.pushed("c1")).containsExactly(1L, 2L);
    }

    @Test
    void aStoreThatIsUnavailableIsAnAnswer() {
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
        CompletionStage<SendResult> lost = fixture.send("c1", "m1");
        fixture.run();
        assertThat(code(lost)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refused(lost).retryAfter()).isPositive();
        CompletionStage<SendResult> next = fixture.send("c1", "m1");
        fixture.run();
        assertThat(stored(next).seq()).isEqualTo(1);
    }

    @Test
    @DisplayName("P8: the suggested wait grows while the store keeps failing, and shrinks when it is back")
    void theHintGrowsWithTrouble() {
        List<Duration> hints = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
            CompletionStage<SendResult> stage = fixture.send("c1", "m1");
            fixture.run();
            hints.add(refused(stage).retryAfter());
        }
        assertThat(hints).isSorted().doesNotHaveDuplicates();
        fixture.send("c1", "m1");
        fixture.run();
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
        CompletionStage<SendResult> stage = fixture.send("c1", "m2");
        fixture.run();
        assertThat(refused(stage).retryAfter()).isEqualTo(hints.get(0));
    }

    @Test
    void aStoreThatIsCorruptOrUnableIsNamed() {
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.CORRUPT));
        CompletionStage<SendResult> corrupt = fixture.send("c1", "m1");
        fixture.run();
        fixture.store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNSUPPORTED));
        CompletionStage<SendResult> unsupported = fixture.send("c1", "m1");
        fixture.run();
        assertThat(code(corrupt)).isEqualTo(ErrorCode.CORRUPT);
        assertThat(code(unsupported)).isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(refused(corrupt).retryAfter()).isNull();
    }

    @Test
    void aStoreWithABugLeavesTheOutcomeUnknownAndTheLaneGoesOn() {
        fixture.store.throwNext(new IllegalStateException("a bug"));
        fixture.store.next((real, drafts, wait) -> List.of());
        CompletionStage<SendResult> thrown = fixture.send("c1", "m1");
        fixture.run();
        CompletionStage<SendResult> tooFew = fixture.send("c1", "m2");
        fixture.run();
        CompletionStage<SendResult> next = fixture.send("c1", "m3");
        fixture.run();
        assertThat(code(thrown)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(code(tooFew)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(stored(next).seq()).isEqualTo(1);
        // No replay: it would only happen again.
        assertThat(fixture.store.calls()).hasSize(3);
    }

    @Test
    @DisplayName("H40: what cannot be right by itself is refused by name, and nobody is asked about it")
    void wrongRequestsAreRefusedByName() {
        SendRequest right = SendRequest.of("c1", "ann", "m1", "text");
        assertInvalid("conversation", SendRequest.of(null, "ann", "m1", "text"));
        assertInvalid("conversation", SendRequest.of("", "ann", "m1", "text"));
        assertInvalid("conversation", SendRequest.of("c\0", "ann", "m1", "text"));
        assertInvalid("conversation", SendRequest.of("c".repeat(256), "ann", "m1", "text"));
        assertInvalid("sender", SendRequest.of("c1", "a\uD83D", "m1", "text"));
        assertInvalid("sender", SendRequest.of("c1", null, "m1", "text"));
        assertInvalid("messageId", SendRequest.of("c1", "ann", null, "text"));
        assertInvalid("messageId", SendRequest.of("c1", "ann", "é".repeat(128), "text"));
        assertInvalid("kind", right.withKind(null));
        assertInvalid("kind", right.withKind("k".repeat(33)));
        assertInvalid("body", SendRequest.of("c1", "ann", "m1", (String) null));
        assertInvalid("body", SendRequest.of("c1", "ann", "m1", (Body) null));
        assertInvalid("body", SendRequest.of("c1", "ann", "m1", (byte[]) null));
        assertInvalid("body", SendRequest.of("c1", "ann", "m1", "half a pair \uD83D"));
        assertInvalid("body", SendRequest.of("c1", "ann", "m1", "\uDE00 the other half"));
        assertInvalid("body", SendRequest.of("c1", "ann", "m1", new byte[1024 * 1024 + 1]));
        assertInvalid("fromDevice", right.fromDevice(""));
        assertInvalid("timeout", right.withTimeout(Duration.ZERO));
        assertInvalid("timeout", right.withTimeout(Duration.ofSeconds(-1)));
        assertInvalid("timeout", right.withTimeout(Duration.ofDays(400_000)));
        assertInvalid("request", null);
        assertThat(fixture.listener.count("refused INVALID")).isEqualTo(21);
    }

    @Test
    @DisplayName("H40: what is unusual but right is stored exactly")
    void unusualRequestsAreStoredExactly() {
        String id = "c/1:2 \uD83D\uDE00 %'\"" + "x".repeat(230);
        fixture.members.join(id, "ann", 1);
        CompletionStage<SendResult> emoji = fixture.send(SendRequest.of(id, "ann", "m1", "\uD83D\uDE00 and a \0"));
        CompletionStage<SendResult> empty = fixture.send(SendRequest.of(id, "ann", "m2", ""));
        CompletionStage<SendResult> large = fixture.send(SendRequest.of(id, "ann", "m3", new byte[1024 * 1024]));
        fixture.run();
        assertThat(List.of(
                        stored(emoji).seq(), stored(empty).seq(), stored(large).seq()))
                .containsExactly(1L, 2L, 3L);
        assertThat(fixture.memory.after(id, 0, 9).messages())
                .extracting(message -> message.body().size())
                .containsExactly(12, 0, 1024 * 1024);
    }

    @Test
    void theSmallerLimitOfHostAndStoreHolds() {
        SendFixture small =
                new SendFixture(SendPolicy.defaults().withLanes(1).withMaxBodyBytes(10), BatchPolicy.defaults());
        CompletionStage<SendResult> stage = small.send(SendRequest.of("c1", "ann", "m1", "eleven byte"));
        assertThat(refused(stage).refusal().field()).isEqualTo("body");
    }

    @Test
    void theBlockingFormThrowsWhatTheOtherAnswers() {
        assertThatThrownBy(() -> fixture.pipeline.sendAndWait(SendRequest.of("", "ann", "m1", "text")))
                .isInstanceOfSatisfying(RefusedException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.INVALID);
                    assertThat(e.refusal().field()).isEqualTo("conversation");
                });
    }

    @Test
    void theBlockingFormCanBeInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> fixture.pipeline.sendAndWait(SendRequest.of("c1", "ann", "m1", "text")))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(Thread.interrupted()).isTrue();
        fixture.run();
        assertThat(fixture.stored("c1")).containsExactly("m1");
    }

    @Test
    void whoCancelsAStageTakesNothingFromAnybody() {
        CompletionStage<SendResult> stage = fixture.send("c1", "m1");
        stage.toCompletableFuture().cancel(true);
        fixture.run();
        assertThat(stored(stage).seq()).isEqualTo(1);
    }

    @Test
    void aBatchIsAnsweredByOneTaskInOrder() {
        List<String> answered = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            String id = "m" + i;
            fixture.send("c1", id).thenAccept(result -> answered.add(id));
        }
        fixture.time.step();
        assertThat(fixture.stored("c1")).hasSize(100);
        assertThat(answered).isEmpty();
        fixture.time.step();
        assertThat(answered).hasSize(100).isEqualTo(fixture.stored("c1"));
    }

    @Test
    void aCallbackThatThrowsCostsNobodyElseTheAnswer() {
        fixture.send("c1", "m1").thenAccept(result -> {
            throw new IllegalStateException("the host's");
        });
        CompletionStage<SendResult> other = fixture.send("c1", "m2");
        fixture.run();
        assertThat(stored(other).seq()).isEqualTo(2);
    }

    @Test
    void aCallbackMaySendAgain() {
        List<Long> seqs = new ArrayList<>();
        fixture.send("c1", "m1")
                .thenCompose(first -> fixture.send("c1", "m2"))
                .thenAccept(second -> seqs.add(((SendResult.Stored) second).seq()));
        fixture.run();
        assertThat(seqs).containsExactly(2L);
    }

    private void assertInvalid(String field, SendRequest request) {
        SendResult.Refused refused = refused(fixture.send(request));
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID);
        assertThat(refused.refusal().field()).isEqualTo(field);
        assertThat(refused.refusal().detail()).startsWith(field + ": expected ");
        fixture.run();
        assertThat(fixture.store.calls()).isEmpty();
    }
}
