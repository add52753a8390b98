package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.Drafts.draft;
import static dev.tidemark.storage.tck.Drafts.drafts;
import static dev.tidemark.storage.tck.Outcomes.appended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StoredMessage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers, the order of results, and times. */
abstract class NumberingRung extends MessageStoreRung {

    @Test
    void theFirstMessageOfAConversationGetsOne() {
        String conversation = Fresh.id("conversation");

        assertThat(append(draft(conversation, "m1"))).containsExactly(appended(1));
        assertThat(head(conversation)).isEqualTo(headOf(1));
        assertThat(ids(conversation)).containsExactly("m1");
    }

    @Test
    void numbersFollowTheOrderOfTheListWithoutAGap() {
        String conversation = Fresh.id("conversation");

        assertThat(append(drafts(conversation, 1, 3))).isEqualTo(appended(1, 3));
        assertThat(append(drafts(conversation, 4, 4))).isEqualTo(appended(4, 4));
        assertThat(append(drafts(conversation, 5, 60))).isEqualTo(appended(5, 60));
        assertThat(ids(conversation))
                .isEqualTo(drafts(conversation, 1, 60).stream()
                        .map(Draft::messageId)
                        .toList());
    }

    @Test
    void anotherInstanceGoesOnWhereTheFirstStopped() {
        String conversation = Fresh.id("conversation");

        for (int i = 1; i <= 9; i += 3) {
            assertThat(append(draft(conversation, "m" + i))).containsExactly(appended(i));
            assertThat(appendElsewhere(draft(conversation, "m" + (i + 1)), draft(conversation, "m" + (i + 2))))
                    .isEqualTo(appended(i + 1, i + 2));
            assertThat(log().heads(List.of(conversation)).get(conversation)).isEqualTo(headOf(i + 2));
        }
    }

    @Test
    void nothingIsAppendedByAnEmptyList() {
        assertThat(store().append(List.of())).isEmpty();
        assertThat(store().append(List.of(), Duration.ofSeconds(1))).isEmpty();
    }

    @Test
    void aNegativeWaitIsRefusedAndNothingIsStored() {
        String conversation = Fresh.id("conversation");

        assertRefused("wait", () -> store().append(drafts(conversation, 1, 2), Duration.ofNanos(-1)));
        assertThat(rows(conversation)).isEmpty();
        assertThat(head(conversation)).isEqualTo(Head.EMPTY);
    }

    @Test
    void aWaitThatIsNotNeededChangesNothing() {
        String conversation = Fresh.id("conversation");

        assertThat(Outcomes.of(store().append(drafts(conversation, 1, 2), Duration.ofHours(1))))
                .isEqualTo(appended(1, 2));
    }

    @Test
    void resultsComeInTheOrderOfTheDrafts() {
        List<String> conversations = Fresh.ids("conversation", 20);
        List<Draft> mixed = Drafts.inTurn(conversations, 1_000);
        List<Draft> shuffled = new ArrayList<>(mixed);

        Seed.run(seed -> {
            Collections.shuffle(shuffled, seed.random(0));
            List<AppendResult> results = store().append(shuffled);

            assertThat(results).hasSize(1_000);
            for (String conversation : conversations) {
                List<String> expected = new ArrayList<>();
                List<String> outcomes = new ArrayList<>();
                for (int i = 0; i < shuffled.size(); i++) {
                    if (shuffled.get(i).conversation().equals(conversation)) {
                        expected.add(shuffled.get(i).messageId());
                        outcomes.add(Outcomes.of(results.get(i)));
                    }
                }
                assertThat(outcomes).isEqualTo(appended(1, 50));
                assertThat(ids(conversation)).isEqualTo(expected);
            }
        });
    }

    @ParameterizedTest(name = "{0} drafts over {1} conversations")
    @CsvSource({"512, 100", "513, 100", "5000, 1", "5000, 250", "1000, 1000"})
    void largeBatchesAreStoredWhole(int count, int conversationCount) {
        List<String> conversations = Fresh.ids("conversation", conversationCount);
        List<Draft> drafts = Drafts.inTurn(conversations, count);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            expected.add(appended(i / conversationCount + 1));
        }

        assertThat(append(drafts)).isEqualTo(expected);

        long stored = fixture().another().heads(conversations).values().stream()
                .mapToLong(Head::seq)
                .sum();
        assertThat(stored).isEqualTo(count);
        for (String conversation : List.of(conversations.get(0), conversations.get(conversationCount - 1))) {
            List<StoredMessage> rows = rows(conversation);
            assertThat(rows).extracting(StoredMessage::seq).isEqualTo(range(1, rows.size()));
            assertThat(rows).allMatch(row -> row.messageId().equals("m" + row.seq()));
        }
    }

    @Test
    void everyPartOfADraftIsStored() {
        String conversation = Fresh.id("conversation");
        Draft plain = Draft.of(conversation, "ann", "m1", Body.of("hello"));
        Draft marked = new Draft(conversation, "bob", "m2", "recall", false, Body.of("{}"));

        store().append(List.of(plain, marked));

        List<StoredMessage> rows = rows(conversation);
        assertThat(rows.get(0)).isEqualTo(row(plain, 1, rows.get(0).storedAt()));
        assertThat(rows.get(1)).isEqualTo(row(marked, 2, rows.get(1).storedAt()));
    }

    private static StoredMessage row(Draft draft, long seq, Instant storedAt) {
        return new StoredMessage(
                draft.conversation(),
                seq,
                draft.sender(),
                draft.messageId(),
                draft.kind(),
                draft.countable(),
                draft.body(),
                0,
                storedAt);
    }

    @Test
    void theResultsCannotBeChanged() {
        String conversation = Fresh.id("conversation");

        List<AppendResult> results = store().append(drafts(conversation, 1, 2));

        assertUnmodifiable(results::clear);
        assertUnmodifiable(
                () -> store().find(List.of(draft(conversation, "m1").key())).clear());
    }

    @Test
    @DisplayName("H32: clocks jump back and differ between nodes: order is that of the sequences")
    void clocksThatJumpDecideNothing() {
        String conversation = Fresh.id("conversation");
        List<Instant> times = List.of(
                Instant.parse("2031-03-30T01:30:00Z"),
                Instant.parse("1999-12-31T23:59:59.999Z"),
                Instant.parse("2026-10-25T01:30:00.001Z"),
                Instant.parse("2026-10-25T01:30:00.001Z"),
                Instant.parse("2026-10-25T00:30:00.001Z"));

        for (int i = 0; i < times.size(); i++) {
            MessageStore node = fixture().another(Clock.fixed(times.get(i), ZoneOffset.UTC));
            AppendResult result =
                    node.append(List.of(draft(conversation, "m" + i))).get(0);
            assertThat(result).isEqualTo(new AppendResult.Appended(i + 1, times.get(i)));
        }

        assertThat(rows(conversation)).extracting(StoredMessage::storedAt).isEqualTo(times);
        assertThat(rows(conversation)).extracting(StoredMessage::seq).isEqualTo(range(1, times.size()));
        assertThat(head(conversation).seq()).isEqualTo(times.size());
    }

    @Test
    void aMessageHasOneTimeWhoeverTellsIt() {
        String conversation = Fresh.id("conversation");
        Draft draft = draft(conversation, "m1");
        Instant time = Instant.parse("2026-02-03T04:05:06.789987654Z");
        MessageStore node = fixture().another(Clock.fixed(time, ZoneOffset.UTC));

        Instant storedAt = Outcomes.storedAt(node.append(List.of(draft)).get(0));

        assertThat(storedAt).isEqualTo(storedAt.truncatedTo(ChronoUnit.MILLIS));
        assertThat(Duration.between(storedAt, time).abs()).isLessThan(Duration.ofMillis(1));
        assertThat(store().append(List.of(draft))).containsExactly(new AppendResult.Duplicate(1, storedAt));
        assertThat(rows(conversation).get(0).storedAt()).isEqualTo(storedAt);
        assertThat(store().find(List.of(draft.key())))
                .containsEntry(draft.key(), new Receipt(1, storedAt, draft.bodyHash()));
    }

    @Test
    @ResourceLock(Resources.TIME_ZONE)
    @DisplayName("H32: two nodes in different time zones, one of which skips the hour")
    void theZoneOfANodeDecidesNothing() {
        String conversation = Fresh.id("conversation");
        // No such local time in New York; Tokyo is hours ahead.
        Instant time = Instant.parse("2026-03-08T02:30:00.123Z");
        Clock clock = Clock.fixed(time, ZoneOffset.UTC);
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
            fixture().another(clock).append(drafts(conversation, 1, 1));
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            fixture().another(clock).append(drafts(conversation, 2, 2));

            assertThat(rows(conversation)).extracting(StoredMessage::storedAt).containsExactly(time, time);
        } finally {
            TimeZone.setDefault(before);
        }
    }
}
