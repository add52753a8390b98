package dev.tidemark.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.error.RefusedException;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.storage.memory.InMemoryTransaction;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("H36: messages are stored in a transaction of the host's or not at all")
class HostTransactionsTest {

    private final SendFixture fixture = new SendFixture();
    private final HostTransactions<InMemoryTransaction> transactions = fixture.pipeline.within(fixture.store);
    private final InMemoryTransaction transaction = fixture.memory.begin();

    @Test
    void messagesAreAnsweredAndPushedAfterTheCommit() {
        JoinedSends sends = sendWithin(m("c1", "m1"), m("c2", "m1"), m("c1", "m2"));
        assertThat(sends.isAccepted()).isTrue();
        assertThat(sends.orThrow()).isSameAs(sends);
        assertThat(sends.refusals()).isEmpty();
        fixture.time.advance(Duration.ofDays(1));
        assertThat(Stages.isDone(sends.results())).isFalse();
        assertThat(fixture.stored("c1")).isEmpty();
        assertThat(fixture.pushed).isEmpty();

        transaction.commit();
        CompletionStage<List<SendResult>> results = sends.committed();
        assertThat(Stages.isDone(results)).isFalse();
        fixture.run();

        assertThat(words(results)).containsExactly("c1 m1 1", "c2 m1 1", "c1 m2 2");
        assertThat(words(sends.results())).isEqualTo(words(results));
        assertThat(fixture.pushed("c1")).containsExactly(1L, 2L);
        assertThat(fixture.pushed("c2")).containsExactly(1L);
        assertThat(fixture.listener.events()).containsExactly("joined 3 3");
    }

    @Test
    void aRollbackThatTheHostTellsIsARefusalThatCanBeRepeated() {
        JoinedSends sends = sendWithin(m("c1", "m1"), m("c2", "m1"));
        transaction.rollback();
        sends.rolledBack();
        fixture.run();

        assertThat(codes(sends.results())).containsExactly(ErrorCode.ROLLED_BACK, ErrorCode.ROLLED_BACK);
        assertThat(((SendResult.Refused) Stages.now(sends.results()).get(0)).retryAfter())
                .isPositive();
        assertNothingWasPushed();
        assertThat(fixture.listener.events()).containsExactly("refused ROLLED_BACK c1", "refused ROLLED_BACK c2");
        assertTakesANewSend("c1", 1);
    }

    @Test
    void aRollbackThatTheHostTakesForACommitPushesNothing() {
        JoinedSends sends = sendWithin(m("c1", "m1"));
        transaction.rollback();
        sends.committed();
        fixture.run();

        assertThat(codes(sends.results())).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
        assertNothingWasPushed();
        assertThat(fixture.listener.events()).contains("joined 1 0");
    }

    @Test
    void aRollbackToASavepointPushesNothingOfWhatWentWithIt() {
        JoinedSends kept = sendWithin(m("c1", "m1"));
        Runnable rollBack = transaction.savepoint();
        JoinedSends gone = sendWithin(m("c1", "m2"), m("c2", "m1"));
        rollBack.run();
        transaction.commit();
        kept.committed();
        gone.committed();
        fixture.run();

        assertThat(words(kept.results())).containsExactly("c1 m1 1");
        assertThat(codes(gone.results())).containsExactly(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.OUTCOME_UNKNOWN);
        assertThat(fixture.pushed).extracting(StoredMessage::messageId).containsExactly("m1");
        assertTakesANewSend("c1", 2);
    }

    @Test
    void whoSaysCommittedBeforeTheCommitIsToldThatItIsNotKnown() {
        JoinedSends sends = sendWithin(m("c1", "m1"));
        sends.committed();
        fixture.run();
        transaction.commit();

        assertThat(codes(sends.results())).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
        CompletionStage<SendResult> repeat = fixture.send("c1", "m1");
        fixture.run();
        assertThat(SendFixture.stored(repeat).duplicate()).isTrue();
        assertThat(fixture.pushed("c1")).containsExactly(1L);
    }

    @Test
    void aNumberThatWentToSomebodyElseIsNotTakenForOnesOwn() {
        Runnable rollBack = transaction.savepoint();
        JoinedSends first = sendWithin(m("c1", "m1"), m("c2", "m1"));
        rollBack.run();
        transaction.commit();
        // At the same time, in the same places: one the same message, one another.
        fixture.send("c1", "m1");
        fixture.send(SendRequest.of("c2", "ann", "m1", "another body"));
        fixture.run();
        first.committed();
        fixture.run();

        assertThat(words(first.results()).get(0)).startsWith("c1 m1 1");
        assertThat(codes(first.results())).containsExactly(null, ErrorCode.CONFLICT);
        assertThat(fixture.pushed("c2")).containsExactly(1L);
    }

    @Test
    void theProcessForgetsTheCommitAndNothingIsLeftBehind() {
        int timers = fixture.time.timers();
        sendWithin(m("c1", "m1"));
        transaction.commit();
        fixture.run();

        assertThat(fixture.time.timers()).isEqualTo(timers);
        assertThat(fixture.stored("c1")).containsExactly("m1");
        assertTakesANewSend("c1", 2);
        assertThat(Stages.isDone(fixture.pipeline.shutdown(Duration.ofSeconds(1))))
                .isTrue();
    }

    @Test
    void aConversationThatIsLockedElsewhereIsRefusedAndNothingOfTheCallIsStored() {
        Runnable release = fixture.memory.hold("c2");
        JoinedSends sends = sendWithin(m("c1", "m1"), m("c2", "m1"), m("c1", "m2"), m("c2", "m2"));

        assertThat(sends.isAccepted()).isFalse();
        assertThat(sends.refusals()).containsOnlyKeys(1, 3);
        assertThat(sends.refusals().get(1).code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(sends.refusals().get(1).retryAfter()).isPositive();
        assertThat(codes(sends.results()))
                .containsExactly(
                        ErrorCode.ROLLED_BACK, ErrorCode.OVERLOADED, ErrorCode.ROLLED_BACK, ErrorCode.OVERLOADED);
        assertThatThrownBy(sends::orThrow)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
        // The host decides to commit what else it has, and to send again.
        release.run();
        JoinedSends again = sendWithin(m("c2", "m1"));
        transaction.commit();
        sends.committed();
        again.committed();
        fixture.run();
        assertThat(fixture.stored("c1")).isEmpty();
        assertThat(words(again.results())).containsExactly("c2 m1 1");
        assertThat(fixture.listener.events())
                .containsExactly("refused OVERLOADED c2", "refused OVERLOADED c2", "joined 1 1");
    }

    @Test
    void meanwhileOtherSendsToTheConversationWaitAndThenGoOn() {
        JoinedSends sends = sendWithin(m("c1", "m1"));
        CompletionStage<SendResult> other = fixture.send("c1", "m2");
        fixture.time.advance(Duration.ofMillis(500));
        assertThat(Stages.isDone(other)).isFalse();

        transaction.commit();
        sends.committed();
        fixture.time.advance(Duration.ofSeconds(2));
        assertThat(words(sends.results())).containsExactly("c1 m1 1");
        assertThat(SendFixture.stored(other).seq()).isEqualTo(2);
        assertThat(fixture.pushed("c1")).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void everyWrongRequestIsNamedAndTheStoreIsNotAsked() {
        JoinedSends sends =
                sendWithin(m("", "m1"), m("c1", "m1"), null, SendRequest.of("c1", "ann", "m2", (String) null));

        assertThat(sends.refusals()).containsOnlyKeys(0, 2, 3);
        assertThat(sends.refusals().values())
                .extracting(refusal -> refusal.field())
                .containsExactly("conversation", "request", "body");
        assertThat(codes(sends.results()))
                .containsExactly(ErrorCode.INVALID, ErrorCode.ROLLED_BACK, ErrorCode.INVALID, ErrorCode.INVALID);
        transaction.commit();
        assertThat(fixture.stored("c1")).isEmpty();
    }

    @Test
    @DisplayName("P9: whoever is no member is refused; P3: a known repeat of theirs is answered all the same")
    void whoIsNoMemberIsRefused() {
        assertTakesANewSend("c1", 1);
        fixture.members.leave("c1", "ann", 1);

        JoinedSends sends = sendWithin(m("c1", "new1"), m("c1", "m9"), m("c2", "m1"));
        assertThat(sends.refusals()).containsOnlyKeys(1);
        assertThat(sends.refusals().get(1).code()).isEqualTo(ErrorCode.NOT_A_MEMBER);

        JoinedSends repeat = sendWithin(m("c1", "new1"), m("c2", "m1"));
        transaction.commit();
        repeat.committed();
        fixture.run();
        assertThat(words(repeat.results())).containsExactly("c1 new1 1 duplicate", "c2 m1 1");
    }

    @Test
    @DisplayName("P3: repeats are answered by the first receipt and pushed again, conflicts refuse the call")
    void repeatsAreAnsweredAndConflictsRefuseTheCall() {
        assertTakesANewSend("c1", 1);
        JoinedSends conflict = sendWithin(m("c1", "m2"), SendRequest.of("c1", "ann", "new1", "another body"));
        assertThat(conflict.refusals()).containsOnlyKeys(1);
        assertThat(conflict.refusals().get(1).code()).isEqualTo(ErrorCode.CONFLICT);

        JoinedSends sends = sendWithin(m("c1", "m2"), m("c1", "new1"), m("c1", "m2"));
        transaction.commit();
        sends.committed();
        fixture.run();
        assertThat(words(sends.results())).containsExactly("c1 m2 2", "c1 new1 1 duplicate", "c1 m2 2 duplicate");
        assertThat(fixture.pushed("c1")).containsExactly(1L, 1L, 2L, 2L);
    }

    @Test
    void manyTransactionsThatEndTogetherAreLookedUpTogetherAndPushedInOrder() {
        List<JoinedSends> ended = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            InMemoryTransaction one = fixture.memory.begin();
            ended.add(0, transactions.sendWithin(one, List.of(m("c1", "m" + i))));
            one.commit();
        }
        ended.forEach(JoinedSends::committed);
        fixture.run();
        assertThat(fixture.pushed("c1")).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void theFirstWordStands() {
        JoinedSends sends = sendWithin(m("c1", "m1"));
        transaction.commit();
        sends.committed();
        sends.rolledBack();
        sends.committed();
        fixture.run();
        assertThat(words(sends.results())).containsExactly("c1 m1 1");
        assertThat(fixture.pushed("c1")).containsExactly(1L);
    }

    @Test
    void aStoreThatCannotBeAskedLeavesTheOutcomeUnknown() {
        JoinedSends sends = sendWithin(m("c1", "m1"));
        transaction.commit();
        try (Logs logs = new Logs()) {
            fixture.store.failFinds(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
            sends.committed();
            fixture.run();
            assertThat(logs.lines()).singleElement().asString().contains("c1");
        }
        assertThat(codes(sends.results())).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
        assertNothingWasPushed();
    }

    @Test
    void aWrongCallIsNamed() {
        transaction.rollback();
        assertNames("transaction", () -> sendWithin(m("c1", "m1")));
        assertNames("transaction", () -> transactions.sendWithin(null, List.of()));
        assertNames("requests", () -> transactions.sendWithin(fixture.memory.begin(), null));
        assertNames("transactional", () -> fixture.pipeline.within(new InMemoryMessageStore()));
    }

    @Test
    void nothingIsAnsweredByAnEmptyList() {
        JoinedSends sends = sendWithin();
        assertThat(sends.isAccepted()).isTrue();
        transaction.commit();
        assertThat(Stages.now(sends.committed())).isEmpty();
        fixture.run();
        assertThat(fixture.listener.events()).isEmpty();
    }

    @Test
    @DisplayName("H37: after the end of the pipeline calls are refused, and commits said too late are not known")
    void afterTheEndOfThePipelineNothingIsTaken() {
        JoinedSends early = sendWithin(m("c1", "m1"));
        JoinedSends waiting = sendWithin(m("c2", "m1"));
        transaction.commit();
        waiting.committed();
        CompletionStage<Void> shutdown = fixture.pipeline.shutdown(Duration.ofSeconds(1));
        assertThat(Stages.isDone(shutdown)).isFalse();
        early.committed();
        assertThat(codes(transactions
                        .sendWithin(fixture.memory.begin(), List.of(m("c1", "m2")))
                        .results()))
                .containsExactly(ErrorCode.CLOSED);
        fixture.run();
        assertThat(Stages.isDone(shutdown)).isTrue();
        assertThat(words(waiting.results())).containsExactly("c2 m1 1");
        assertThat(codes(early.results())).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    @DisplayName("H37: what cannot be looked up by the deadline of the shutdown is not known")
    void whatIsNotLookedUpByTheDeadlineIsNotKnown() {
        SendFixture stuck = new SendFixture(SendPolicy.defaults(), BatchPolicy.defaults(), task -> {});
        InMemoryTransaction open = stuck.memory.begin();
        JoinedSends sends = stuck.pipeline.within(stuck.store).sendWithin(open, List.of(m("c1", "m1")));
        open.commit();
        sends.committed();
        CompletionStage<Void> shutdown = stuck.pipeline.shutdown(Duration.ofSeconds(1));
        stuck.time.advance(Duration.ofSeconds(1));
        assertThat(Stages.isDone(shutdown)).isTrue();
        assertThat(codes(sends.results())).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
    }

    private JoinedSends sendWithin(SendRequest... requests) {
        return transactions.sendWithin(transaction, Arrays.asList(requests));
    }

    private static SendRequest m(String conversation, String messageId) {
        return SendRequest.of(conversation, "ann", messageId, "hello " + messageId);
    }

    private void assertNothingWasPushed() {
        assertThat(fixture.pushed).isEmpty();
    }

    /** Numbers go on as if nothing had been. */
    private void assertTakesANewSend(String conversation, long seq) {
        CompletionStage<SendResult> next = fixture.send(conversation, "new" + seq);
        fixture.time.advance(Duration.ofSeconds(2));
        assertThat(SendFixture.stored(next).seq()).isEqualTo(seq);
    }

    private static List<String> words(CompletionStage<List<SendResult>> results) {
        return Stages.now(results).stream()
                .map(result -> result instanceof SendResult.Stored stored
                        ? stored.conversation() + " " + stored.messageId() + " " + stored.seq()
                                + (stored.duplicate() ? " duplicate" : "")
                        : "refused")
                .toList();
    }

    /** The codes of the refused ones, null for the others. */
    private static List<ErrorCode> codes(CompletionStage<List<SendResult>> results) {
        return Stages.now(results).stream()
                .map(result -> result instanceof SendResult.Refused refused ? refused.code() : null)
                .toList();
    }

    private static void assertNames(String field, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo(field));
    }
}
