package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.Drafts.draft;
import static dev.tidemark.storage.tck.Drafts.drafts;
import static dev.tidemark.storage.tck.Outcomes.DEFERRED;
import static dev.tidemark.storage.tck.Outcomes.appended;
import static dev.tidemark.storage.tck.Outcomes.duplicate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;

/** Conversations that another node holds. */
abstract class LockRung extends ContentRung {

    /** Rounded up to a second by some databases. */
    private static final Duration SHORT = Duration.ofMillis(20);

    private static final Duration LONG = Duration.ofMinutes(1);

    @CapabilityTest(Capability.LOCKS)
    @DisplayName("H41: a held conversation is deferred, the others of the same call are stored")
    void aHeldConversationIsDeferredAndTheOthersAreStored() {
        String held = conversationOf(2);
        String free = conversationOf(2);
        String fresh = Fresh.id("conversation");
        Draft[] drafts = {draft(held, "m3"), draft(free, "m3"), draft(fresh, "m1"), draft(held, "m4"), draft(free, "m4")
        };
        try (Hold hold = fixture().holdLocks(List.of(held))) {
            assertThat(append(drafts)).containsExactly(DEFERRED, appended(3), appended(1), DEFERRED, appended(4));
            assertThat(ids(held)).containsExactly("m1", "m2");
            assertThat(head(held)).isEqualTo(headOf(2));

            // Again and again: nothing is left behind by a deferral.
            assertThat(append(drafts)).containsExactly(DEFERRED, duplicate(3), duplicate(1), DEFERRED, duplicate(4));
            hold.release();
        }
        assertThat(append(drafts)).containsExactly(appended(3), duplicate(3), duplicate(1), appended(4), duplicate(4));
        assertThat(ids(held)).containsExactly("m1", "m2", "m3", "m4");
    }

    @CapabilityTest(Capability.LOCKS)
    @DisplayName("H41: with a wait a held conversation is waited for, then deferred; the others are stored")
    void aHeldConversationIsWaitedForThenDeferred() {
        String held = conversationOf(1);
        String free = conversationOf(1);
        List<Draft> drafts = List.of(draft(held, "m2"), draft(free, "m2"), draft(held, "m3"));
        try (Hold hold = fixture().holdLocks(List.of(held))) {
            assertThat(Outcomes.of(store().append(drafts, SHORT))).containsExactly(DEFERRED, appended(2), DEFERRED);
            assertThat(ids(held)).containsExactly("m1");
            hold.release();
        }
        assertThat(Outcomes.of(store().append(drafts, SHORT))).containsExactly(appended(2), duplicate(2), appended(3));
    }

    @CapabilityTest(Capability.LOCKS)
    @DisplayName("H41: who waits goes on as soon as the conversation is free")
    void whoWaitsGoesOnWhenTheConversationIsFree() throws Exception {
        MessageStore reader = fixture().another();
        for (int round = 0; round < 5; round++) {
            String held = conversationOf(1);
            String free = conversationOf(1);
            List<Draft> drafts = List.of(draft(held, "m2"), draft(free, "m2"), draft(held, "m3"));
            CountDownLatch begun = new CountDownLatch(1);
            try (Crew crew = new Crew();
                    Hold hold = fixture().holdLocks(List.of(held))) {
                Future<List<AppendResult>> waiting = crew.begin(() -> {
                    begun.countDown();
                    return store().append(drafts, LONG);
                });
                begun.await();
                // Long enough for a store that does not wait to be caught, whatever a machine's speed.
                for (int i = 0; i < 100; i++) {
                    assertThat(reader.after(held, 0, 50).messages()).hasSize(1);
                }
                hold.release();

                assertThat(Outcomes.of(Crew.valueOf(waiting))).containsExactly(appended(2), appended(2), appended(3));
            }
        }
    }

    @CapabilityTest(Capability.LOCKS)
    @DisplayName("H41: without a wait nothing waits, however many conversations are held")
    void withoutAWaitManyHeldConversationsAreDeferredAtOnce() {
        List<String> conversations = Fresh.ids("conversation", 200);
        append(Drafts.inTurn(conversations, 200));
        List<String> held = conversations.subList(0, 150);
        List<Draft> drafts = conversations.stream().map(id -> draft(id, "m2")).toList();
        try (Hold hold = fixture().holdLocks(held)) {
            List<String> outcomes = append(drafts);
            assertThat(outcomes.subList(0, 150)).containsOnly(DEFERRED);
            assertThat(outcomes.subList(150, 200)).containsOnly(appended(2));
            hold.release();
        }
        assertThat(append(drafts).subList(0, 150)).containsOnly(appended(2));
    }

    @CapabilityTest(Capability.LOCKS)
    @DisplayName("H41: a repeat for a held conversation is deferred with the rest, then answered")
    void aRepeatForAHeldConversationIsDeferredWithTheRest() {
        String held = conversationOf(2);
        Draft[] drafts = {draft(held, "m1"), draft(held, "m3"), draft(held, "m3"), draft(held, "m2", "other")};
        try (Hold hold = fixture().holdLocks(List.of(held))) {
            assertThat(append(drafts)).containsOnly(DEFERRED);
            hold.release();
        }
        assertThat(append(drafts)).containsExactly(duplicate(1), appended(3), duplicate(3), Outcomes.conflict(2));
    }

    @CapabilityTest(Capability.LOCKS)
    @DisplayName("H41: readers do not wait for a held conversation")
    void readersDoNotWaitForAHeldConversation() {
        String held = conversationOf(3);
        try (Hold hold = fixture().holdLocks(List.of(held))) {
            assertThat(seqs(log().after(held, 0, 50))).isEqualTo(range(1, 3));
            assertThat(seqs(log().before(held, Long.MAX_VALUE, 2))).isEqualTo(range(2, 3));
            assertThat(log().heads(List.of(held)).get(held)).isEqualTo(headOf(3));
            assertThat(store().find(List.of(draft(held, "m2").key()))).hasSize(1);
            hold.release();
        }
    }

    @CapabilityTest(Capability.LOCKS)
    @DisplayName("H42: what one node deferred another may store; each conversation keeps its order")
    void deferredDraftsKeepTheirOrder() {
        String first = conversationOf(1);
        String second = conversationOf(1);
        List<Draft> drafts = new ArrayList<>();
        for (int i = 2; i <= 40; i++) {
            drafts.add(draft(i % 3 == 0 ? second : first, "m" + i));
        }
        try (Hold hold = fixture().holdLocks(List.of(first))) {
            List<String> outcomes = append(drafts);
            for (int i = 0; i < drafts.size(); i++) {
                assertThat(outcomes.get(i).equals(DEFERRED))
                        .isEqualTo(drafts.get(i).conversation().equals(first));
            }
            hold.release();
        }
        assertThat(appendElsewhere(drafts.toArray(Draft[]::new))).doesNotContain(DEFERRED);
        for (String conversation : List.of(first, second)) {
            List<String> expected = new ArrayList<>(List.of("m1"));
            drafts.stream()
                    .filter(draft -> draft.conversation().equals(conversation))
                    .forEach(draft -> expected.add(draft.messageId()));
            assertThat(ids(conversation)).isEqualTo(expected);
        }
    }

    @CapabilityTest(Capability.COMMIT_PAUSES)
    @DisplayName("H1: while a commit is slow nobody sees its messages, nor a higher number")
    void nothingOfASlowCommitIsVisible() throws Exception {
        String slow = conversationOf(1);
        String free = conversationOf(1);
        MessageStore node = fixture().another();
        try (Crew crew = new Crew();
                Pause pause = fixture().pauseNextCommit()) {
            Future<List<AppendResult>> first = crew.begin(() -> store().append(drafts(slow, 2, 3)));
            pause.awaitReached();

            assertThat(Outcomes.of(node.append(List.of(draft(slow, "m4"), draft(free, "m2")))))
                    .containsExactly(DEFERRED, appended(2));
            assertThat(seqs(node.after(slow, 0, 50))).isEqualTo(range(1, 1));
            assertThat(node.after(slow, 0, 50).head()).isEqualTo(headOf(1));
            assertThat(seqs(node.before(slow, Long.MAX_VALUE, 50))).isEqualTo(range(1, 1));
            assertThat(node.heads(List.of(slow)).get(slow)).isEqualTo(headOf(1));
            assertThat(node.find(List.of(draft(slow, "m2").key()))).isEmpty();
            pause.release();

            assertThat(Outcomes.of(Crew.valueOf(first))).isEqualTo(appended(2, 3));
        }
        assertThat(Outcomes.of(node.append(List.of(draft(slow, "m4"))))).containsExactly(appended(4));
        assertThat(ids(slow)).containsExactly("m1", "m2", "m3", "m4");
    }

    @CapabilityTest(Capability.COMMIT_PAUSES)
    @DisplayName("H3: the repeat arrives while the first is still uncommitted: one row, both get its sequence")
    void aRepeatOfAnUncommittedMessageGetsItsSequence() throws Exception {
        String conversation = conversationOf(1);
        List<Draft> same = List.of(draft(conversation, "m2"));
        MessageStore node = fixture().another();
        try (Crew crew = new Crew();
                Pause pause = fixture().pauseNextCommit()) {
            Future<List<AppendResult>> first = crew.begin(() -> store().append(same));
            pause.awaitReached();
            assertThat(Outcomes.of(node.append(same))).containsExactly(DEFERRED);
            assertThat(Outcomes.of(node.append(same, SHORT))).containsExactly(DEFERRED);
            Future<List<AppendResult>> waiting = crew.begin(() -> node.append(same, LONG));
            pause.release();

            assertThat(Outcomes.of(Crew.valueOf(first))).containsExactly(appended(2));
            assertThat(Outcomes.of(Crew.valueOf(waiting))).containsExactly(duplicate(2));
        }
        assertThat(ids(conversation)).containsExactly("m1", "m2");
    }
}
