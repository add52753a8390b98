package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.Drafts.draft;
import static dev.tidemark.storage.tck.Drafts.drafts;
import static dev.tidemark.storage.tck.Outcomes.appended;
import static dev.tidemark.storage.tck.Outcomes.conflict;
import static dev.tidemark.storage.tck.Outcomes.duplicate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** Connections that die, databases that refuse, rows that are lost, backups that come back. */
abstract class FaultRung extends LockRung {

    private static final String REJECTED = "rejected";

    // H6: connections that die at COMMIT

    @CapabilityTest(Capability.COMMIT_FAULTS)
    @DisplayName("H6: the connection dies before the server committed: the replay stores, once")
    void afterACommitThatDidNotHappenTheReplayStores() throws Exception {
        String first = conversationOf(2);
        String second = conversationOf(1);
        List<Draft> drafts = List.of(
                draft(first, "m3"), draft(second, "m2"), draft(first, "m1"), draft(first, "m4"), draft(first, "m3"));
        fixture().failNextCommit(CommitFault.BEFORE);

        assertThatUnknown(() -> store().append(drafts));

        assertThat(ids(first)).containsExactly("m1", "m2");
        assertThat(replayElsewhere(drafts))
                .containsExactly(appended(3), appended(2), duplicate(1), appended(4), duplicate(3));
        assertThat(ids(first)).containsExactly("m1", "m2", "m3", "m4");
        assertThat(ids(second)).containsExactly("m1", "m2");
        assertThat(head(first)).isEqualTo(headOf(4));
    }

    @CapabilityTest(Capability.COMMIT_FAULTS)
    @DisplayName("H6: the connection dies after the server committed: the replay finds what is stored")
    void afterACommitThatDidHappenTheReplayFinds() throws Exception {
        String conversation = conversationOf(2);
        List<Draft> drafts = drafts(conversation, 2, 5);
        fixture().failNextCommit(CommitFault.AFTER);

        assertThatUnknown(() -> store().append(drafts));

        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3", "m4", "m5");
        assertThat(replayElsewhere(drafts)).containsExactly(duplicate(2), duplicate(3), duplicate(4), duplicate(5));
        assertThat(append(draft(conversation, "m6"))).containsExactly(appended(6));
        assertThat(head(conversation)).isEqualTo(headOf(6));
    }

    @CapabilityTest(Capability.COMMIT_FAULTS)
    @DisplayName("H6: the connection dies at the first append of a conversation")
    void aFirstAppendThatDiesIsReplayed() throws Exception {
        for (CommitFault fault : CommitFault.values()) {
            for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(5))) {
                String conversation = Fresh.id("conversation");
                List<Draft> drafts = drafts(conversation, 1, 3);
                fixture().failNextCommit(fault);

                assertStoredOrUnknown(drafts, wait);

                replayElsewhere(drafts);
                assertThat(ids(conversation)).containsExactly("m1", "m2", "m3");
                assertThat(replayElsewhere(drafts)).isEqualTo(List.of(duplicate(1), duplicate(2), duplicate(3)));
            }
        }
    }

    /** If it was the creation of the conversation that died, nothing is stored, and the store may know that. */
    private void assertStoredOrUnknown(List<Draft> drafts, Duration wait) {
        try {
            assertThat(Outcomes.of(store().append(drafts, wait))).isEqualTo(appended(1, drafts.size()));
        } catch (StorageException e) {
            assertThat(e.kind()).isIn(StorageException.Kind.UNKNOWN_OUTCOME, StorageException.Kind.UNAVAILABLE);
            if (e.kind() == StorageException.Kind.UNAVAILABLE) {
                assertThat(rows(drafts.get(0).conversation())).isEmpty();
            }
        }
    }

    private static void assertThatUnknown(Runnable append) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(append::run)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNKNOWN_OUTCOME));
    }

    /** On another node; what the dead connection still holds is waited for. */
    private List<String> replayElsewhere(List<Draft> drafts) throws InterruptedException {
        return Outcomes.of(appendUntilSettled(fixture().another(), drafts, Duration.ofSeconds(5)));
    }

    // H35: deadlocks and serialization failures

    @CapabilityTest(Capability.RETRYABLE_FAULTS)
    @DisplayName("H35: deadlocks and serialization failures, at whichever statement, are invisible outside")
    void retryableFaultsAreInvisibleOutside() {
        for (RetryableFault fault : RetryableFault.values()) {
            for (int skip = 0; skip <= 8; skip++) {
                for (int count = 1; count <= 2; count++) {
                    String known = conversationOf(2);
                    String fresh = Fresh.id("conversation");
                    List<String> outcomes;
                    try (Hold faults = fixture().failStatements(skip, count, fault)) {
                        outcomes =
                                append(draft(known, "m3"), draft(fresh, "m1"), draft(known, "m1"), draft(known, "m4"));
                        faults.release();
                    }
                    assertThat(outcomes)
                            .as("%d times %s after %d statements", count, fault, skip)
                            .containsExactly(appended(3), appended(1), duplicate(1), appended(4));
                    assertThat(ids(known)).containsExactly("m1", "m2", "m3", "m4");
                    assertThat(ids(fresh)).containsExactly("m1");
                    assertThat(head(known)).isEqualTo(headOf(4));
                }
            }
        }
    }

    @CapabilityTest(Capability.RETRYABLE_FAULTS)
    @DisplayName("H35: a deadlock that comes again and again is a typed fault in the end")
    void aDeadlockThatDoesNotGoAwayIsATypedFault() throws Exception {
        for (int skip = 0; skip <= 8; skip += 2) {
            int passing = skip;
            assertStoredOrNothing(
                    "deadlocks after " + skip + " statements",
                    () -> fixture().failStatements(passing, Integer.MAX_VALUE, RetryableFault.DEADLOCK));
        }
    }

    @CapabilityTest(Capability.CANCELLATIONS)
    @DisplayName("UNAVAILABLE means that nothing was stored, whichever statement failed")
    void unavailableMeansThatNothingWasStored() throws Exception {
        for (int skip = 0; skip <= 10; skip++) {
            int passing = skip;
            assertStoredOrNothing(
                    "a cancellation after " + skip + " statements",
                    () -> fixture().cancelStatement(passing));
        }
    }

    /** An append that fails has stored nothing, or does not know; the replay makes it good. */
    private void assertStoredOrNothing(String what, Supplier<Hold> fault) throws InterruptedException {
        String known = conversationOf(2);
        String fresh = Fresh.id("conversation");
        List<Draft> drafts = List.of(draft(known, "m3"), draft(fresh, "m1"), draft(known, "m1"), draft(known, "m4"));
        StorageException.Kind failure = null;
        try (Hold faults = fault.get()) {
            store().append(drafts);
            faults.release();
        } catch (StorageException e) {
            failure = e.kind();
        }

        if (failure == StorageException.Kind.UNAVAILABLE) {
            assertThat(ids(known)).as(what).containsExactly("m1", "m2");
            assertThat(ids(fresh)).as(what).isEmpty();
            assertThat(head(known)).as(what).isEqualTo(headOf(2));
        } else {
            assertThat(failure).as(what).isIn(null, StorageException.Kind.UNKNOWN_OUTCOME);
        }
        replayElsewhere(drafts);
        assertThat(ids(known)).as(what).containsExactly("m1", "m2", "m3", "m4");
        assertThat(ids(fresh)).as(what).containsExactly("m1");
        assertThat(head(known)).as(what).isEqualTo(headOf(4));
        assertThat(append(draft(known, "m5"), draft(fresh, "m2"))).containsExactly(appended(5), appended(2));
    }

    // H7: what only the database refuses

    @CapabilityTest(Capability.CONSTRAINTS)
    @DisplayName("H7: what the database refuses is rejected alone, in whatever place of the batch")
    void whatTheDatabaseRefusesIsRejectedAlone() {
        for (int place = 0; place < 5; place++) {
            String conversation = conversationOf(1);
            String other = Fresh.id("conversation");
            List<Draft> drafts = new ArrayList<>(List.of(
                    draft(conversation, "m2"),
                    draft(other, "m1"),
                    draft(conversation, "m1"),
                    draft(conversation, "m3")));
            List<String> expected = new ArrayList<>(List.of(appended(2), appended(1), duplicate(1), appended(3)));
            drafts.add(place, fixture().poison(conversation, "ann", "poison"));
            expected.add(place, REJECTED);

            assertThat(coarse(append(drafts))).isEqualTo(expected);
            assertThat(ids(conversation)).containsExactly("m1", "m2", "m3");
            assertThat(ids(other)).containsExactly("m1");
            assertThat(head(conversation)).isEqualTo(headOf(3));
            assertThat(append(draft(conversation, "m4"))).containsExactly(appended(4));
        }
    }

    @CapabilityTest(Capability.CONSTRAINTS)
    @DisplayName("H7, H42: many rejections in a large batch; the others keep their order")
    void manyRejectionsInALargeBatch() {
        Seed.run(seed -> {
            Random random = seed.random(0);
            List<String> conversations = Fresh.ids("conversation", 3);
            List<Draft> drafts = new ArrayList<>(Drafts.inTurn(conversations, 90));
            for (int i = 0; i < 7; i++) {
                String conversation = conversations.get(random.nextInt(3));
                drafts.add(random.nextInt(drafts.size() + 1), fixture().poison(conversation, "bob", "poison" + i));
            }
            List<String> expected = drafts.stream()
                    .map(draft -> draft.sender().equals("bob")
                            ? REJECTED
                            : appended(Long.parseLong(draft.messageId().substring(1))))
                    .toList();

            assertThat(coarse(append(drafts))).isEqualTo(expected);
            for (String conversation : conversations) {
                assertThat(rows(conversation))
                        .hasSize(30)
                        .allMatch(row -> row.messageId().equals("m" + row.seq()));
            }
        });
    }

    @CapabilityTest(Capability.CONSTRAINTS)
    @DisplayName("H7: a rejected draft takes neither number nor id")
    void aRejectedDraftTakesNeitherNumberNorId() throws Exception {
        String conversation = Fresh.id("conversation");
        Draft poison = fixture().poison(conversation, "ann", "id");
        Draft good = draft(conversation, "id", "good");

        assertThat(coarse(append(poison))).containsExactly(REJECTED);
        assertThat(coarse(append(poison, poison))).containsExactly(REJECTED, REJECTED);
        assertThat(head(conversation)).isEqualTo(Head.EMPTY);
        assertThat(store().find(List.of(poison.key()))).isEmpty();

        // The same id with a good body may be stored at once or put off; then it is stored.
        assertThat(coarse(append(poison, good)).get(0)).isEqualTo(REJECTED);
        appendUntilSettled(store(), List.of(good), Duration.ZERO);
        assertThat(rows(conversation))
                .singleElement()
                .satisfies(row -> assertThat(row.body()).isEqualTo(good.body()));
        assertThat(append(draft(conversation, "m2"))).containsExactly(appended(2));
    }

    /** The database does not say which field it was. */
    static List<String> coarse(List<String> outcomes) {
        return outcomes.stream()
                .map(outcome -> outcome.startsWith(REJECTED) ? REJECTED : outcome)
                .toList();
    }

    // H15: heads that are lost or set back

    @CapabilityTest(Capability.TAMPERING)
    @DisplayName("H15: after the head was deleted numbers go on after the highest row; repeats find their first")
    void aDeletedHeadIsLifted() {
        for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(1))) {
            String tampered = conversationOf(5);
            String sound = conversationOf(2);
            fixture().deleteHead(tampered);

            assertThat(Outcomes.of(store().append(
                                    List.of(
                                            draft(tampered, "m6"),
                                            draft(sound, "m3"),
                                            draft(tampered, "m2"),
                                            draft(tampered, "m7"),
                                            draft(tampered, "m3", "other")),
                                    wait)))
                    .containsExactly(appended(6), appended(3), duplicate(2), appended(7), conflict(3));
            assertMended(tampered, 7);
            assertMended(sound, 3);
        }
    }

    @CapabilityTest(Capability.TAMPERING)
    @DisplayName("H15: after the head was set back no number is given twice")
    void aHeadThatWasSetBackIsLifted() {
        for (int claimed : new int[] {0, 1, 3, 4}) {
            String tampered = conversationOf(5);
            fixture().setHead(tampered, claimed);

            assertThat(append(draft(tampered, "m6"))).containsExactly(appended(6));
            assertMended(tampered, 6);

            fixture().setHead(tampered, claimed);
            assertThat(append(drafts(tampered, 4, 9)))
                    .containsExactly(duplicate(4), duplicate(5), duplicate(6), appended(7), appended(8), appended(9));
            assertMended(tampered, 9);
        }
    }

    @CapabilityTest(Capability.TAMPERING)
    @DisplayName("H15: a repeat is recognised also while the head is wrong")
    void aRepeatIsRecognisedWhileTheHeadIsWrong() {
        String deleted = conversationOf(3);
        String setBack = conversationOf(3);
        fixture().deleteHead(deleted);
        fixture().setHead(setBack, 1);

        assertThat(append(draft(deleted, "m3"), draft(setBack, "m2"), draft(setBack, "m3")))
                .containsExactly(duplicate(3), duplicate(2), duplicate(3));
        assertThat(append(draft(deleted, "m4"), draft(setBack, "m4"))).containsExactly(appended(4), appended(4));
        assertMended(deleted, 4);
        assertMended(setBack, 4);
    }

    @CapabilityTest(Capability.TAMPERING)
    @DisplayName("H15: several nodes meet the lost head at once")
    void severalNodesMeetTheLostHead() throws Exception {
        String tampered = conversationOf(5);
        fixture().deleteHead(tampered);
        List<Crew.Part<List<AppendResult>>> parts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MessageStore node = fixture().another();
            List<Draft> drafts = drafts(tampered, 6 + 5 * i, 10 + 5 * i);
            parts.add(() -> appendUntilSettled(node, drafts, Duration.ZERO));
        }
        try (Crew crew = new Crew()) {
            crew.together(parts);
        }

        assertThat(rows(tampered)).extracting(StoredMessage::seq).isEqualTo(range(1, 25));
        assertThat(new TreeSet<>(ids(tampered))).hasSize(25);
        assertThat(head(tampered).seq()).isEqualTo(25);
    }

    @CapabilityTest({Capability.TAMPERING, Capability.CONSTRAINTS})
    @DisplayName("H15, H7: a lost head and a rejection in one batch")
    void aLostHeadAndARejectionInOneBatch() {
        String tampered = conversationOf(3);
        fixture().deleteHead(tampered);

        assertThat(coarse(append(
                        draft(tampered, "m4"), fixture().poison(tampered, "ann", "poison"), draft(tampered, "m5"))))
                .containsExactly(appended(4), REJECTED, appended(5));
        assertMended(tampered, 5);
    }

    private void assertMended(String conversation, int count) {
        assertThat(head(conversation)).isEqualTo(headOf(count));
        assertThat(ids(conversation))
                .isEqualTo(
                        IntStream.rangeClosed(1, count).mapToObj(i -> "m" + i).toList());
    }

    // H16: backups

    @CapabilityTest(Capability.BACKUPS)
    @DisplayName("H16: after a restore a reader that knew more notices it, by the head or by the anchor")
    void aReaderNoticesThatHistoryWasRewritten() {
        String conversation = conversationOf(5);
        Runnable restore = fixture().backup();
        append(drafts(conversation, 6, 8));
        assertThat(log().after(conversation, 8, 50).anchor()).isEqualTo(tagOf(8));

        restore.run();

        assertThat(log().after(conversation, 8, 50)).isEqualTo(new Slice(headOf(5), null, List.of()));
        assertThat(log().after(conversation, 5, 50).anchor()).isEqualTo(tagOf(5));

        // The numbers are given anew; a reader that still stands at 8 is told by the tag.
        assertThat(append(drafts(conversation, 106, 109))).isEqualTo(appended(6, 9));
        Slice slice = log().after(conversation, 8, 50);
        assertThat(slice.anchor()).isEqualTo(tagOf(108)).isNotEqualTo(tagOf(8));
        assertThat(seqs(slice)).containsExactly(9L);
        assertThat(log().heads(List.of(conversation)).get(conversation)).isEqualTo(new Head(9, 0, tagOf(109)));
    }

    @CapabilityTest(Capability.BACKUPS)
    @DisplayName("H16: what a restore lost can be sent again, what it kept is recognised")
    void whatARestoreLostCanBeSentAgain() {
        String old = conversationOf(2);
        Runnable restore = fixture().backup();
        String young = conversationOf(2);
        append(draft(old, "m3"));

        restore.run();

        assertThat(head(young)).isEqualTo(Head.EMPTY);
        assertThat(rows(young)).isEmpty();
        assertThat(store().find(List.of(draft(old, "m3").key(), draft(old, "m2").key())))
                .containsOnlyKeys(draft(old, "m2").key());
        assertThat(append(draft(old, "m3"), draft(old, "m2"), draft(young, "m2")))
                .containsExactly(appended(3), duplicate(2), appended(1));
        assertMended(old, 3);
    }
}
