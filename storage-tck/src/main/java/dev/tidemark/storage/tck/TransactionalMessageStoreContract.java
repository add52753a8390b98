package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.Drafts.draft;
import static dev.tidemark.storage.tck.Drafts.drafts;
import static dev.tidemark.storage.tck.Outcomes.DEFERRED;
import static dev.tidemark.storage.tck.Outcomes.appended;
import static dev.tidemark.storage.tck.Outcomes.conflict;
import static dev.tidemark.storage.tck.Outcomes.duplicate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.TransactionalMessageStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link TransactionalMessageStore}: inside a transaction of the host's, messages are stored together
 * with the host's own rows or not at all (H36). Includes {@link MessageStoreContract}.
 *
 * @param <T> the host's transaction
 */
public abstract class TransactionalMessageStoreContract<T> extends MessageStoreContract {

    private static final int COMPETING_TRANSACTIONS = 60;

    /** For subclasses. */
    protected TransactionalMessageStoreContract() {}

    /**
     * Opens the store for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    @Override
    protected abstract TransactionalMessageStoreFixture<T> open() throws Exception;

    @Override
    @SuppressWarnings("unchecked") // Made by open().
    TransactionalMessageStoreFixture<T> fixture() {
        return (TransactionalMessageStoreFixture<T>) super.fixture();
    }

    @Override
    TransactionalMessageStore<T> store() {
        return fixture().store();
    }

    private List<String> appendWithin(HostTransaction<T> transaction, Draft... drafts) {
        return appendWithin(transaction, List.of(drafts));
    }

    private List<String> appendWithin(HostTransaction<T> transaction, List<Draft> drafts) {
        List<String> outcomes = Outcomes.of(store().appendWithin(transaction.handle(), drafts));
        assertThat(transaction.isAsItWas()).as("the transaction is as it was").isTrue();
        return outcomes;
    }

    private static String hostRow() {
        return Fresh.id("row");
    }

    @Test
    @DisplayName("H36: messages join the host's transaction and are committed with it")
    void messagesAreCommittedWithTheHostsRows() {
        String conversation = conversationOf(2);
        String row = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            transaction.write(row);

            assertThat(appendWithin(transaction, drafts(conversation, 3, 5))).isEqualTo(appended(3, 5));

            assertThat(fixture().hasHostRow(row)).isFalse();
            assertThat(ids(conversation)).containsExactly("m1", "m2");
            assertThat(head(conversation)).isEqualTo(headOf(2));
            assertThat(store().find(List.of(draft(conversation, "m3").key()))).isEmpty();
            transaction.commit();
        }
        assertThat(fixture().hasHostRow(row)).isTrue();
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3", "m4", "m5");
        assertThat(head(conversation)).isEqualTo(headOf(5));
        assertThat(append(draft(conversation, "m4"), draft(conversation, "m6")))
                .containsExactly(duplicate(4), appended(6));
    }

    @ParameterizedTest(name = "a conversation with {0} messages")
    @ValueSource(ints = {0, 2})
    @DisplayName("H36: the host rolls back altogether: no message, no number given out")
    void aTransactionThatIsRolledBackLeavesNothing(int count) {
        String conversation = conversationOf(count);
        String row = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            transaction.write(row);
            assertThat(appendWithin(transaction, draft(conversation, "lost1"), draft(conversation, "lost2")))
                    .isEqualTo(appended(count + 1, count + 2));
        }
        assertThat(fixture().hasHostRow(row)).isFalse();
        assertThat(rows(conversation)).hasSize(count);
        assertThat(head(conversation)).isEqualTo(headOf(count));
        assertThat(append(draft(conversation, "lost2"))).containsExactly(appended(count + 1));
    }

    @Test
    @DisplayName("H36: the host rolls back to a savepoint: its own rows stay, the messages go")
    void aSavepointThatIsRolledBackToTakesTheMessagesWithIt() {
        String conversation = conversationOf(2);
        String before = hostRow();
        String after = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            transaction.write(before);
            Runnable rollBack = transaction.savepoint();
            assertThat(appendWithin(transaction, drafts(conversation, 3, 4))).isEqualTo(appended(3, 4));
            rollBack.run();
            transaction.write(after);
            transaction.commit();
        }
        assertThat(fixture().hasHostRow(before)).isTrue();
        assertThat(fixture().hasHostRow(after)).isTrue();
        assertThat(ids(conversation)).containsExactly("m1", "m2");
        assertThat(head(conversation)).isEqualTo(headOf(2));
        assertThat(append(draft(conversation, "m3"))).containsExactly(appended(3));
    }

    @Test
    @DisplayName("H36: after a savepoint was rolled back to, other messages can be stored in the transaction")
    void afterASavepointOtherMessagesCanBeStored() {
        String conversation = conversationOf(1);
        try (HostTransaction<T> transaction = fixture().begin()) {
            Runnable rollBack = transaction.savepoint();
            appendWithin(transaction, draft(conversation, "lost"));
            rollBack.run();
            assertThat(appendWithin(transaction, draft(conversation, "m2"))).containsExactly(appended(2));
            transaction.commit();
        }
        assertThat(ids(conversation)).containsExactly("m1", "m2");
    }

    @Test
    @DisplayName("H36, H1, H3: meanwhile the conversation is deferred elsewhere, and the others go on")
    void meanwhileTheConversationIsDeferredElsewhere() {
        String conversation = conversationOf(1);
        String other = conversationOf(1);
        MessageStore node = fixture().another();
        List<Draft> drafts = List.of(draft(conversation, "m2"), draft(other, "m2"), draft(conversation, "m3"));
        try (HostTransaction<T> transaction = fixture().begin()) {
            assertThat(appendWithin(transaction, draft(conversation, "m2"))).containsExactly(appended(2));

            assertThat(Outcomes.of(node.append(drafts))).containsExactly(DEFERRED, appended(2), DEFERRED);
            assertThat(node.heads(List.of(conversation)).get(conversation)).isEqualTo(headOf(1));
            transaction.commit();
        }
        assertThat(Outcomes.of(node.append(drafts))).containsExactly(duplicate(2), duplicate(2), appended(3));
    }

    @Test
    @DisplayName("H36, H41: the first message of a conversation in an open transaction makes nobody wait")
    void aConversationThatBeginsInAnOpenTransactionMakesNobodyWait() {
        String fresh = Fresh.id("conversation");
        String other = Fresh.id("conversation");
        MessageStore node = fixture().another();
        List<Draft> drafts = List.of(draft(fresh, "m2"), draft(other, "m1"));
        try (HostTransaction<T> transaction = fixture().begin()) {
            assertThat(appendWithin(transaction, draft(fresh, "m1"))).containsExactly(appended(1));

            assertThat(Outcomes.of(node.append(drafts))).containsExactly(DEFERRED, appended(1));
            assertThat(node.heads(List.of(fresh)).get(fresh)).isEqualTo(Head.EMPTY);
            transaction.commit();
        }
        assertThat(Outcomes.of(node.append(drafts))).containsExactly(appended(2), duplicate(1));
    }

    @Test
    @DisplayName("H36: a conversation that another transaction holds is deferred at once; the rest is stored")
    void whatAnotherTransactionHoldsIsDeferredAtOnce() {
        String held = conversationOf(1);
        String free = conversationOf(1);
        Draft[] drafts = {draft(held, "m3"), draft(free, "m2"), draft(held, "m4")};
        try (HostTransaction<T> first = fixture().begin();
                HostTransaction<T> second = fixture().begin()) {
            assertThat(appendWithin(first, draft(held, "m2"))).containsExactly(appended(2));
            assertThat(appendWithin(second, drafts)).containsExactly(DEFERRED, appended(2), DEFERRED);
            second.commit();
            first.commit();
        }
        assertThat(append(drafts)).containsExactly(appended(3), duplicate(2), appended(4));
    }

    @Test
    @DisplayName("H36: repeats and conflicts are told inside a transaction as outside, those of its own messages too")
    void repeatsAndConflictsAreToldInsideATransaction() {
        String conversation = conversationOf(2);
        String row = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            assertThat(appendWithin(
                            transaction,
                            draft(conversation, "m1"),
                            draft(conversation, "m3"),
                            draft(conversation, "m2", "other"),
                            draft(conversation, "m3"),
                            draft(conversation, "m3", "other"),
                            Draft.of(conversation, "", "id", Body.empty()),
                            draft(conversation, "m4")))
                    .containsExactly(
                            duplicate(1),
                            appended(3),
                            conflict(2),
                            duplicate(3),
                            conflict(3),
                            Outcomes.rejected("sender"),
                            appended(4));
            assertThat(appendWithin(
                            transaction,
                            draft(conversation, "m4"),
                            draft(conversation, "m3", "other"),
                            draft(conversation, "m5")))
                    .containsExactly(duplicate(4), conflict(3), appended(5));
            transaction.write(row);
            transaction.commit();
        }
        assertThat(fixture().hasHostRow(row)).isTrue();
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3", "m4", "m5");
        assertThat(head(conversation)).isEqualTo(headOf(5));
    }

    @Test
    @DisplayName("H36: a repeat of what was committed after the transaction began is recognised")
    void aRepeatOfWhatWasCommittedMeanwhileIsRecognised() {
        String conversation = conversationOf(1);
        String row = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            // By now the transaction has a snapshot, where it has one at all.
            transaction.write(row);
            assertThat(appendElsewhere(draft(conversation, "m2"))).containsExactly(appended(2));

            assertThat(appendWithin(transaction, draft(conversation, "m2"), draft(conversation, "m3")))
                    .containsExactly(duplicate(2), appended(3));
            transaction.commit();
        }
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3");
        assertThat(head(conversation)).isEqualTo(headOf(3));
    }

    @Test
    @DisplayName("H36: a large batch over many conversations, some of them new")
    void aLargeBatchIsStoredInATransaction() {
        List<String> conversations = Fresh.ids("conversation", 60);
        append(Drafts.inTurn(conversations.subList(0, 30), 30));
        try (HostTransaction<T> transaction = fixture().begin()) {
            List<String> outcomes = appendWithin(transaction, Drafts.inTurn(conversations, 600));
            assertThat(outcomes.subList(0, 30)).containsOnly(duplicate(1));
            assertThat(outcomes.subList(30, 60)).containsOnly(appended(1));
            assertThat(outcomes.subList(60, 120)).containsOnly(appended(2));
            transaction.commit();
        }
        assertThat(fixture().another().heads(conversations).values()).containsOnly(headOf(10));
    }

    private List<String> appendAllWithin(HostTransaction<T> transaction, Draft... drafts) {
        List<String> outcomes = Outcomes.of(store().appendAllWithin(transaction.handle(), List.of(drafts)));
        assertThat(transaction.isAsItWas()).as("the transaction is as it was").isTrue();
        return outcomes;
    }

    @Test
    @DisplayName("H36: drafts that belong together are stored together, repeats among them")
    void draftsThatBelongTogetherAreStoredTogether() {
        String conversation = conversationOf(2);
        String other = Fresh.id("conversation");
        String row = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            transaction.write(row);
            assertThat(appendAllWithin(
                            transaction,
                            draft(conversation, "m3"),
                            draft(other, "m1"),
                            draft(conversation, "m1"),
                            draft(conversation, "m4")))
                    .containsExactly(appended(3), appended(1), duplicate(1), appended(4));
            assertThat(ids(conversation)).containsExactly("m1", "m2");
            transaction.commit();
        }
        assertThat(fixture().hasHostRow(row)).isTrue();
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3", "m4");
        assertThat(ids(other)).containsExactly("m1");
    }

    @Test
    @DisplayName("H36: of drafts that belong together none is stored when one is refused; the host's own rows stay")
    void ofDraftsThatBelongTogetherNoneIsStoredWhenOneIsRefused() {
        String conversation = conversationOf(2);
        String other = conversationOf(1);
        String row = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            transaction.write(row);
            assertThat(appendWithin(transaction, draft(conversation, "m3"))).containsExactly(appended(3));

            assertThat(appendAllWithin(
                            transaction,
                            draft(conversation, "gone"),
                            draft(other, "gone"),
                            draft(conversation, "m2", "other")))
                    .containsExactly(appended(4), appended(2), conflict(2));
            assertThat(appendAllWithin(
                            transaction, draft(other, "gone"), Draft.of(conversation, "", "id", Body.empty())))
                    .containsExactly(appended(2), Outcomes.rejected("sender"));
            // The transaction goes on, and gives out the numbers that were not used.
            assertThat(appendAllWithin(transaction, draft(conversation, "m4"), draft(other, "m2")))
                    .containsExactly(appended(4), appended(2));
            transaction.commit();
        }
        assertThat(fixture().hasHostRow(row)).isTrue();
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3", "m4");
        assertThat(head(conversation)).isEqualTo(headOf(4));
        assertThat(ids(other)).containsExactly("m1", "m2");
        assertThat(head(other)).isEqualTo(headOf(2));
    }

    @Test
    @DisplayName("H36: of drafts that belong together none is stored when one's conversation is locked elsewhere")
    void ofDraftsThatBelongTogetherNoneIsStoredWhenAConversationIsLocked() {
        String held = conversationOf(1);
        String free = conversationOf(1);
        try (HostTransaction<T> first = fixture().begin();
                HostTransaction<T> second = fixture().begin()) {
            assertThat(appendWithin(first, draft(held, "m2"))).containsExactly(appended(2));
            assertThat(appendAllWithin(second, draft(free, "m2"), draft(held, "m3")))
                    .containsExactly(appended(2), DEFERRED);
            second.commit();
            first.commit();
        }
        assertThat(ids(held)).containsExactly("m1", "m2");
        assertThat(ids(free)).containsExactly("m1");
        assertThat(head(free)).isEqualTo(headOf(1));
        assertThat(append(draft(free, "m2"))).containsExactly(appended(2));
    }

    @CapabilityTest(Capability.CONSTRAINTS)
    @DisplayName("H36, H7: of drafts that belong together none is stored when the database refuses one")
    void ofDraftsThatBelongTogetherNoneIsStoredWhenTheDatabaseRefusesOne() {
        String conversation = conversationOf(1);
        String row = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            transaction.write(row);
            assertThat(coarse(appendAllWithin(
                            transaction, draft(conversation, "gone"), fixture().poison(conversation, "ann", "poison"))))
                    .containsExactly(appended(2), "rejected");
            assertThat(appendAllWithin(transaction, draft(conversation, "m2"))).containsExactly(appended(2));
            transaction.commit();
        }
        assertThat(fixture().hasHostRow(row)).isTrue();
        assertThat(ids(conversation)).containsExactly("m1", "m2");
    }

    @Test
    void nothingIsAppendedToATransactionByAnEmptyList() {
        try (HostTransaction<T> transaction = fixture().begin()) {
            assertThat(appendWithin(transaction, List.of())).isEmpty();
            assertThat(appendAllWithin(transaction)).isEmpty();
            transaction.commit();
        }
    }

    @Test
    @DisplayName("H36: what is no open transaction is refused by name, and nothing is stored")
    void whatIsNoOpenTransactionIsRefused() {
        String conversation = conversationOf(1);
        T none = fixture().withoutTransaction();

        assertRefused("transaction", () -> store().appendWithin(none, drafts(conversation, 2, 2)));
        assertRefused("transaction", () -> store().appendAllWithin(none, drafts(conversation, 2, 2)));
        assertThat(ids(conversation)).containsExactly("m1");
        assertThat(append(draft(conversation, "m2"))).containsExactly(appended(2));
    }

    @CapabilityTest(Capability.CONSTRAINTS)
    @DisplayName("H36, H7: what the database refuses is rejected alone, and the transaction stays usable")
    void whatTheDatabaseRefusesLeavesTheTransactionUsable() {
        String conversation = conversationOf(1);
        String before = hostRow();
        String after = hostRow();
        try (HostTransaction<T> transaction = fixture().begin()) {
            transaction.write(before);
            assertThat(coarse(appendWithin(
                            transaction,
                            draft(conversation, "m2"),
                            fixture().poison(conversation, "ann", "poison"),
                            draft(conversation, "m3"))))
                    .containsExactly(appended(2), "rejected", appended(3));
            transaction.write(after);
            transaction.commit();
        }
        assertThat(fixture().hasHostRow(before)).isTrue();
        assertThat(fixture().hasHostRow(after)).isTrue();
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3");
    }

    @CapabilityTest(Capability.CANCELLATIONS)
    @DisplayName("H36: when a statement fails the host's transaction is as before, and still usable")
    void aFailureLeavesTheTransactionAsItWasBefore() {
        boolean isMet = false;
        for (int skip = 0; skip <= 6; skip++) {
            String what = "a cancellation after " + skip + " statements";
            String conversation = conversationOf(2);
            String before = hostRow();
            String after = hostRow();
            boolean failed;
            try (HostTransaction<T> transaction = fixture().begin()) {
                transaction.write(before);
                failed = failsWithin(
                        transaction, drafts(conversation, 2, 4), fixture().cancelStatement(skip));
                isMet |= failed;
                assertThat(transaction.isAsItWas()).as(what).isTrue();
                transaction.write(after);
                transaction.commit();
            }
            assertThat(fixture().hasHostRow(before)).as(what).isTrue();
            assertThat(fixture().hasHostRow(after)).as(what).isTrue();
            assertThat(ids(conversation)).as(what).hasSize(failed ? 2 : 4);
            assertThat(head(conversation)).as(what).isEqualTo(headOf(failed ? 2 : 4));
            append(drafts(conversation, 2, 4));
            assertThat(ids(conversation)).as(what).containsExactly("m1", "m2", "m3", "m4");
        }
        assertThat(isMet).as("a statement in the transaction failed").isTrue();
    }

    @CapabilityTest(Capability.RETRYABLE_FAULTS)
    @DisplayName("H35, H36: a deadlock in the host's transaction is reported, not retried, and leaves nothing behind")
    void aDeadlockIsReportedAndLeavesNothing() {
        boolean isMet = false;
        for (int skip = 0; skip <= 5; skip++) {
            String conversation = conversationOf(2);
            String row = hostRow();
            boolean failed;
            try (HostTransaction<T> transaction = fixture().begin()) {
                transaction.write(row);
                failed = failsWithin(
                        transaction,
                        drafts(conversation, 2, 4),
                        fixture().failStatements(skip, 1, RetryableFault.DEADLOCK));
                isMet |= failed;
                assertThat(transaction.isAsItWas()).isTrue();
                if (!failed) {
                    transaction.commit();
                }
            }
            assertThat(fixture().hasHostRow(row))
                    .as("after a fault at statement %d", skip)
                    .isEqualTo(!failed);
            assertThat(ids(conversation)).hasSize(failed ? 2 : 4);
            append(drafts(conversation, 2, 4));
            assertThat(ids(conversation)).containsExactly("m1", "m2", "m3", "m4");
        }
        assertThat(isMet).as("a statement in the transaction failed").isTrue();
    }

    /** Whether the append met the fault: it may have fewer statements, and repeat what it does outside the transaction. */
    private boolean failsWithin(HostTransaction<T> transaction, List<Draft> drafts, Hold faults) {
        try (faults) {
            store().appendWithin(transaction.handle(), drafts);
            faults.release();
            return false;
        } catch (StorageException e) {
            assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE);
            return true;
        }
    }

    @CapabilityTest(Capability.TAMPERING)
    @DisplayName("H36, H15: a lost head is lifted in the host's transaction, too")
    void aLostHeadIsLiftedInATransaction() {
        String deleted = conversationOf(3);
        String setBack = conversationOf(3);
        fixture().deleteHead(deleted);
        fixture().setHead(setBack, 1);
        try (HostTransaction<T> transaction = fixture().begin()) {
            assertThat(appendWithin(transaction, draft(deleted, "m4"), draft(setBack, "m4"), draft(setBack, "m2")))
                    .containsExactly(appended(4), appended(4), duplicate(2));
            transaction.commit();
        }
        assertThat(head(deleted)).isEqualTo(headOf(4));
        assertThat(head(setBack)).isEqualTo(headOf(4));
    }

    @Test
    @DisplayName("H36: transactions that commit or roll back compete with appends: no gap, nothing phantom")
    void competingTransactionsLeaveNoGap() {
        Seed.run(seed -> {
            List<String> conversations = Fresh.ids("conversation", 3);
            List<Crew.Part<Set<String>>> parts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String sender = "writer" + i;
                Random random = seed.random(i);
                TransactionalMessageStore<T> node = fixture().another();
                parts.add(() -> compete(node, sender, conversations, random));
            }
            Set<String> committed = new TreeSet<>();
            try (Crew crew = new Crew()) {
                crew.together(parts).forEach(committed::addAll);
            }
            Set<String> stored = new TreeSet<>();
            for (String conversation : conversations) {
                List<StoredMessage> rows = rows(conversation);
                assertThat(rows).extracting(StoredMessage::seq).isEqualTo(range(1, rows.size()));
                assertThat(head(conversation).seq()).isEqualTo(rows.size());
                rows.forEach(row -> stored.add(row.messageId() + " as " + row.seq() + " in " + conversation));
            }
            assertThat(stored).isEqualTo(committed);
        });
    }

    /** What was committed, in words. */
    private Set<String> compete(
            TransactionalMessageStore<T> node, String sender, List<String> conversations, Random random) {
        Set<String> committed = new TreeSet<>();
        for (int i = 0; i < COMPETING_TRANSACTIONS; i++) {
            List<Draft> drafts = new ArrayList<>();
            for (int j = 0; j <= random.nextInt(6); j++) {
                String conversation = conversations.get(random.nextInt(conversations.size()));
                drafts.add(Drafts.from(sender, conversation, sender + "-" + i + "-" + j));
            }
            if (random.nextInt(4) == 0) {
                note(drafts, node.append(drafts), committed);
                continue;
            }
            try (HostTransaction<T> transaction = fixture().begin()) {
                List<AppendResult> results = node.appendWithin(transaction.handle(), drafts);
                if (random.nextBoolean()) {
                    transaction.commit();
                    note(drafts, results, committed);
                }
            }
        }
        return committed;
    }

    private static void note(List<Draft> drafts, List<AppendResult> results, Set<String> committed) {
        for (int i = 0; i < drafts.size(); i++) {
            if (results.get(i) instanceof AppendResult.Appended it) {
                committed.add(drafts.get(i).messageId() + " as " + it.seq() + " in "
                        + drafts.get(i).conversation());
            } else {
                assertThat(results.get(i)).isInstanceOf(AppendResult.Deferred.class);
            }
        }
    }
}
