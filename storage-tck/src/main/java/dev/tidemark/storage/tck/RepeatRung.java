package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.Drafts.draft;
import static dev.tidemark.storage.tck.Drafts.drafts;
import static dev.tidemark.storage.tck.Outcomes.appended;
import static dev.tidemark.storage.tck.Outcomes.conflict;
import static dev.tidemark.storage.tck.Outcomes.duplicate;
import static dev.tidemark.storage.tck.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One message id, one message. */
abstract class RepeatRung extends NumberingRung {

    private static final int NODES = 4;

    @Test
    @DisplayName("H2: a repeat on another instance gets the first sequence and time")
    void aRepeatOnAnotherInstanceGetsTheFirstSequence() {
        String conversation = Fresh.id("conversation");
        List<AppendResult> first = store().append(drafts(conversation, 1, 3));

        List<AppendResult> repeat = fixture().another().append(drafts(conversation, 2, 2));

        assertThat(repeat).containsExactly(new AppendResult.Duplicate(2, Outcomes.storedAt(first.get(1))));
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3");
        assertThat(head(conversation)).isEqualTo(headOf(3));
    }

    @Test
    @DisplayName("H2: a whole batch repeated, in whatever order")
    void aRepeatedBatchIsAnsweredPerDraft() {
        List<String> conversations = Fresh.ids("conversation", 10);
        List<Draft> drafts = new ArrayList<>(Drafts.inTurn(conversations, 200));
        assertThat(append(drafts)).allMatch(outcome -> outcome.startsWith("appended"));

        Seed.run(seed -> {
            Collections.shuffle(drafts, seed.random(0));
            assertThat(append(drafts))
                    .isEqualTo(drafts.stream()
                            .map(it -> duplicate(Long.parseLong(it.messageId().substring(1))))
                            .toList());
        });
        assertThat(fixture().another().heads(conversations).values()).containsOnly(headOf(20));
    }

    @ParameterizedTest(name = "waiting {0} ms for a lock")
    @ValueSource(longs = {0, 5_000})
    @DisplayName("H3: a message sent by several nodes at once becomes one row, and all get its sequence")
    void aMessageSentByAllNodesAtOnceIsOneRow(long wait) throws Exception {
        String conversation = Fresh.id("conversation");
        List<MessageStore> nodes = nodes();
        try (Crew crew = new Crew()) {
            for (int round = 1; round <= 25; round++) {
                List<Draft> same = drafts(conversation, round, round);
                List<List<AppendResult>> answers = crew.together(nodes.stream()
                        .<Crew.Part<List<AppendResult>>>map(
                                node -> () -> appendUntilSettled(node, same, Duration.ofMillis(wait)))
                        .toList());

                List<String> outcomes = answers.stream()
                        .map(answer -> Outcomes.of(answer.get(0)))
                        .toList();
                assertThat(outcomes).containsOnlyOnce(appended(round)).containsOnly(appended(round), duplicate(round));
                assertThat(answers.stream().map(answer -> Outcomes.storedAt(answer.get(0))))
                        .containsOnly(rows(conversation).get(round - 1).storedAt());
            }
        }
        assertThat(ids(conversation))
                .isEqualTo(IntStream.rangeClosed(1, 25).mapToObj(i -> "m" + i).toList());
    }

    @Test
    @DisplayName("H3: batches that overlap, in opposite orders, sent by several nodes at once")
    void overlappingBatchesInOppositeOrdersAreAllStored() throws Exception {
        List<String> conversations = Fresh.ids("conversation", 12);
        List<String> reversed = new ArrayList<>(conversations);
        Collections.reverse(reversed);
        List<MessageStore> nodes = nodes();
        List<Crew.Part<List<AppendResult>>> parts = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            MessageStore node = nodes.get(i);
            List<Draft> batch = Drafts.inTurn(i % 2 == 0 ? conversations : reversed, 60);
            Duration wait = i < 2 ? Duration.ZERO : Duration.ofSeconds(5);
            parts.add(() -> appendUntilSettled(node, batch, wait));
        }
        try (Crew crew = new Crew()) {
            crew.together(parts);
        }

        assertThat(fixture().another().heads(conversations).values()).containsOnly(headOf(5));
        assertThat(conversations).allMatch(conversation -> rows(conversation).size() == 5);
    }

    private List<MessageStore> nodes() {
        return IntStream.range(0, NODES).mapToObj(i -> fixture().another()).toList();
    }

    @Test
    @DisplayName("H4: the same message twice and thrice in one batch is one row")
    void theSameMessageTwiceInOneBatchIsOneRow() {
        String conversation = Fresh.id("conversation");
        Draft twice = draft(conversation, "twice");
        Draft thrice = draft(conversation, "thrice");

        assertThat(append(twice, thrice, thrice, twice, draft(conversation, "once"), thrice))
                .containsExactly(appended(1), appended(2), duplicate(2), duplicate(1), appended(3), duplicate(2));
        assertThat(ids(conversation)).containsExactly("twice", "thrice", "once");
    }

    @Test
    @DisplayName("H4, H5: the same id in one batch with another body: the first counts")
    void theSameIdInOneBatchWithAnotherBodyIsAConflict() {
        String conversation = Fresh.id("conversation");
        Draft first = draft(conversation, "id", "first");
        Draft other = draft(conversation, "id", "other");

        assertThat(append(draft(conversation, "before"), first, other, first, other, draft(conversation, "after")))
                .containsExactly(appended(1), appended(2), conflict(2), duplicate(2), conflict(2), appended(3));
        assertThat(rows(conversation).get(1).body()).isEqualTo(Body.of("first"));
        assertThat(append(other, first)).containsExactly(conflict(2), duplicate(2));
    }

    @Test
    @DisplayName("H5: the same id with another body is a conflict, and the first is untouched")
    void theSameIdWithAnotherBodyIsAConflict() {
        String conversation = Fresh.id("conversation");
        append(drafts(conversation, 1, 3));
        List<StoredMessage> before = rows(conversation);

        assertThat(append(draft(conversation, "m2", "other"))).containsExactly(conflict(2));
        assertThat(appendElsewhere(draft(conversation, "m2", ""))).containsExactly(conflict(2));
        assertThat(rows(conversation)).isEqualTo(before);
        assertThat(head(conversation)).isEqualTo(headOf(3));
    }

    @Test
    @DisplayName("H5: another kind is a conflict too; whether it counts as unread is not part of what a message is")
    void anotherKindIsAConflict() {
        String conversation = Fresh.id("conversation");
        Body body = Body.of("body");
        append(new Draft(conversation, "ann", "id", "text", true, body));

        assertThat(append(
                        new Draft(conversation, "ann", "id", "image", true, body),
                        new Draft(conversation, "ann", "id", "text", false, body)))
                .containsExactly(conflict(1), duplicate(1));
        assertThat(rows(conversation).get(0).countable()).isTrue();
    }

    @Test
    @DisplayName("H5: conflicts before and after duplicates in one batch")
    void conflictsAndDuplicatesInOneBatchDoNotDisturbEachOther() {
        String conversation = Fresh.id("conversation");
        append(drafts(conversation, 1, 3));

        assertThat(append(
                        draft(conversation, "m1", "other"),
                        draft(conversation, "m1"),
                        draft(conversation, "m4"),
                        draft(conversation, "m3"),
                        draft(conversation, "m3", "other"),
                        draft(conversation, "m5"),
                        draft(conversation, "m2", "other"),
                        draft(conversation, "m2")))
                .containsExactly(
                        conflict(1),
                        duplicate(1),
                        appended(4),
                        duplicate(3),
                        conflict(3),
                        appended(5),
                        conflict(2),
                        duplicate(2));
        assertThat(rows(conversation)).extracting(StoredMessage::body).doesNotContain(Body.of("other"));
        assertThat(head(conversation)).isEqualTo(headOf(5));
    }

    @Test
    void aRepeatAmongFreshDraftsLeavesNoGap() {
        String conversation = Fresh.id("conversation");
        String fresh = Fresh.id("conversation");
        append(drafts(conversation, 1, 2));

        assertThat(append(
                        draft(conversation, "m3"),
                        draft(fresh, "m1"),
                        draft(conversation, "m1"),
                        draft(conversation, "m4"),
                        draft(fresh, "m2"),
                        draft(conversation, "m2"),
                        draft(conversation, "m5")))
                .containsExactly(
                        appended(3), appended(1), duplicate(1), appended(4), appended(2), duplicate(2), appended(5));
        assertThat(append(draft(conversation, "m6"))).containsExactly(appended(6));
        assertThat(ids(conversation)).containsExactly("m1", "m2", "m3", "m4", "m5", "m6");
        assertThat(head(conversation)).isEqualTo(headOf(6));
        assertThat(head(fresh)).isEqualTo(headOf(2));
    }

    @Test
    void repeatsAloneMoveNoHead() {
        String conversation = Fresh.id("conversation");
        append(drafts(conversation, 1, 3));

        append(draft(conversation, "m1"));
        append(draft(conversation, "m1"), draft(conversation, "m2", "other"));

        assertThat(head(conversation)).isEqualTo(headOf(3));
        assertThat(append(draft(conversation, "m4"))).containsExactly(appended(4));
    }

    @Test
    @DisplayName("H43: two senders use the same id: two messages, everywhere")
    void twoSendersWithTheSameIdAreTwoMessages() {
        String conversation = Fresh.id("conversation");
        String elsewhere = Fresh.id("conversation");
        Draft ann = Draft.of(conversation, "ann", "id", Body.of("same"));
        Draft bob = Draft.of(conversation, "bob", "id", Body.of("same"));
        Draft annElsewhere = Draft.of(elsewhere, "ann", "id", Body.of("same"));

        assertThat(append(ann, bob, annElsewhere, bob, ann))
                .containsExactly(appended(1), appended(2), appended(1), duplicate(2), duplicate(1));
        assertThat(appendElsewhere(bob, ann, annElsewhere)).containsExactly(duplicate(2), duplicate(1), duplicate(1));
        assertThat(rows(conversation)).extracting(StoredMessage::sender).containsExactly("ann", "bob");
        assertThat(store().find(List.of(ann.key(), bob.key(), annElsewhere.key())))
                .hasSize(3)
                .satisfies(found -> assertThat(found.get(bob.key()))
                        .extracting(Receipt::seq)
                        .isEqualTo(2L));
    }

    @Test
    void aRejectedDraftDoesNotTakeItsId() {
        String conversation = Fresh.id("conversation");
        Draft wrong = new Draft(conversation, "ann", "id", "k".repeat(33), true, Body.of("body"));
        Draft right = draft(conversation, "id");

        assertThat(append(wrong, right, wrong, right))
                .containsExactly(rejected("kind"), appended(1), rejected("kind"), duplicate(1));
        assertThat(ids(conversation)).containsExactly("id");
    }

    @Test
    void aKeyThatIsStoredIsFoundOnEveryInstance() {
        String conversation = Fresh.id("conversation");
        List<AppendResult> results = store().append(drafts(conversation, 1, 3));
        Draft m2 = draft(conversation, "m2");
        Draft m3 = draft(conversation, "m3");

        Map<MessageKey, Receipt> found = fixture()
                .another()
                .find(List.of(
                        m3.key(),
                        m2.key(),
                        m3.key(),
                        new MessageKey(conversation, "ann", "m4"),
                        new MessageKey(conversation, "bob", "m2"),
                        new MessageKey(Fresh.id("conversation"), "ann", "m2")));

        assertThat(found)
                .isEqualTo(Map.of(
                        m2.key(), new Receipt(2, Outcomes.storedAt(results.get(1)), m2.bodyHash()),
                        m3.key(), new Receipt(3, Outcomes.storedAt(results.get(2)), m3.bodyHash())));
    }

    @Test
    void nothingIsFoundForNoKeys() {
        assertThat(store().find(List.of())).isEmpty();
    }

    @Test
    void anyNumberOfKeysCanBeLookedUp() {
        List<String> conversations = Fresh.ids("conversation", 5);
        List<Draft> stored = Drafts.inTurn(conversations, 1_000);
        append(stored);
        Set<MessageKey> keys = IntStream.range(0, 25_000)
                .mapToObj(i -> new MessageKey(conversations.get(i % 5), "nobody", "m" + i))
                .collect(Collectors.toSet());
        stored.forEach(draft -> keys.add(draft.key()));

        Map<MessageKey, Receipt> found = store().find(keys);

        assertThat(found).hasSize(1_000);
        found.forEach((key, receipt) -> assertThat(key.messageId()).isEqualTo("m" + receipt.seq()));
    }

    @Test
    @DisplayName("H40: an impossible key is not found or refused by name, never a fault")
    void anImpossibleKeyIsNotFoundOrRefused() {
        String conversation = Fresh.id("conversation");
        append(draft(conversation, "id?"));

        for (String impossible : List.of("", "\0", "id\uD800", "x".repeat(256))) {
            for (MessageKey key : List.of(
                    new MessageKey(impossible, "ann", "id?"),
                    new MessageKey(conversation, impossible, "id?"),
                    new MessageKey(conversation, "ann", impossible))) {
                assertEmptyOrRefused(
                        () -> assertThat(store().find(List.of(key))).isEmpty());
            }
        }
    }

    @Test
    void anUnknownConversationIsNotCreatedByReading() {
        String unknown = Fresh.id("conversation");

        log().after(unknown, 0, 50);
        log().heads(List.of(unknown));
        store().find(List.of(new MessageKey(unknown, "ann", "m1")));

        assertThat(head(unknown)).isEqualTo(Head.EMPTY);
        assertThat(append(draft(unknown, "m1"))).containsExactly(appended(1));
    }
}
