package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.Drafts.draft;
import static dev.tidemark.storage.tck.Drafts.drafts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link MessageLog}, the read side: pages at every boundary, heads, anchors. The first rung; {@link
 * MessageStoreContract} includes it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class MessageLogContract {

    private MessageLogFixture fixture;

    /** For subclasses. */
    protected MessageLogContract() {}

    /**
     * Opens the log for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    protected abstract MessageLogFixture open() throws Exception;

    @BeforeEach
    void openFixture() throws Exception {
        fixture = open();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    MessageLogFixture fixture() {
        return fixture;
    }

    MessageLog log() {
        return fixture.log();
    }

    /** A fresh conversation with the messages {@code m1} to {@code m<count>}. */
    String conversationOf(int count) {
        String conversation = Fresh.id("conversation");
        for (int from = 1; from <= count; from += 2_500) {
            fixture.write(drafts(conversation, from, Math.min(count, from + 2_499)));
        }
        return conversation;
    }

    static List<Long> seqs(Slice slice) {
        return slice.messages().stream().map(StoredMessage::seq).toList();
    }

    static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    /** The head of a conversation with the messages {@code m1} to {@code m<count>}. */
    static Head headOf(int count) {
        return count == 0 ? Head.EMPTY : new Head(count, 0, tagOf(count));
    }

    static int tagOf(int number) {
        return draft("any", "m" + number).tag();
    }

    @Test
    void aSoundStoreIsVerified() {
        assertThatCode(() -> log().verify()).doesNotThrowAnyException();
    }

    @Test
    void aConversationThatDoesNotExistIsEmpty() {
        String unknown = Fresh.id("conversation");

        assertThat(log().after(unknown, 0, 50)).isEqualTo(new Slice(Head.EMPTY, null, List.of()));
        assertThat(log().after(unknown, 7, 50)).isEqualTo(new Slice(Head.EMPTY, null, List.of()));
        assertThat(log().before(unknown, 7, 50)).isEqualTo(new Slice(Head.EMPTY, null, List.of()));
        assertThat(log().before(unknown, Long.MAX_VALUE, 50)).isEqualTo(new Slice(Head.EMPTY, null, List.of()));
        assertThat(log().heads(List.of(unknown))).isEqualTo(Map.of(unknown, Head.EMPTY));
    }

    @Test
    void rowsComeBackAsTheyWereWritten() {
        String conversation = Fresh.id("conversation");
        List<Draft> drafts = drafts(conversation, 1, 3);
        fixture.write(drafts);

        List<StoredMessage> rows = log().after(conversation, 0, 50).messages();

        for (int i = 0; i < 3; i++) {
            StoredMessage row = rows.get(i);
            assertThat(row.conversation()).isEqualTo(conversation);
            assertThat(row.seq()).isEqualTo(i + 1);
            assertThat(row.key()).isEqualTo(drafts.get(i).key());
            assertThat(row.kind()).isEqualTo(drafts.get(i).kind());
            assertThat(row.countable()).isTrue();
            assertThat(row.body()).isEqualTo(drafts.get(i).body());
            assertThat(row.revision()).isZero();
        }
        assertThat(log().before(conversation, Long.MAX_VALUE, 50).messages()).isEqualTo(rows);
    }

    @Test
    void everyStartAndLimitGivesTheLowestRowsAfterIt() {
        String conversation = conversationOf(5);

        for (long after = 0; after <= 7; after++) {
            for (int limit = 1; limit <= 6; limit++) {
                Slice slice = log().after(conversation, after, limit);
                assertThat(seqs(slice))
                        .as("after %d, limit %d", after, limit)
                        .isEqualTo(range(after + 1, Math.min(5, after + limit)));
                assertThat(slice.head()).isEqualTo(headOf(5));
            }
        }
    }

    @Test
    void everyStartAndLimitGivesTheHighestRowsBeforeItAscending() {
        String conversation = conversationOf(5);

        for (long before : new long[] {1, 2, 3, 4, 5, 6, 7, Long.MAX_VALUE}) {
            long newest = Math.min(5, before - 1);
            for (int limit = 1; limit <= 6; limit++) {
                Slice slice = log().before(conversation, before, limit);
                assertThat(seqs(slice))
                        .as("before %d, limit %d", before, limit)
                        .isEqualTo(range(Math.max(1, newest - limit + 1), newest));
                assertThat(slice.head()).isEqualTo(headOf(5));
                assertThat(slice.anchor()).isNull();
            }
        }
    }

    @ParameterizedTest(name = "{0} messages")
    @ValueSource(ints = {0, 1, 49, 50, 51})
    void pagesForwardJoinWithoutAGap(int count) {
        String conversation = conversationOf(count);

        for (int limit : new int[] {1, 49, 50, 51, MessageLog.MAX_LIMIT}) {
            List<Long> read = new ArrayList<>();
            long after = 0;
            Slice slice;
            do {
                slice = log().after(conversation, after, limit);
                assertThat(slice.messages()).hasSizeLessThanOrEqualTo(limit);
                read.addAll(seqs(slice));
                assertThat(read).hasSizeLessThanOrEqualTo(count);
                after = read.size();
            } while (!slice.messages().isEmpty());
            assertThat(read).as("limit %d", limit).isEqualTo(range(1, count));
        }
    }

    @ParameterizedTest(name = "{0} messages")
    @ValueSource(ints = {0, 1, 49, 50, 51})
    void pagesBackwardJoinWithoutAGap(int count) {
        String conversation = conversationOf(count);

        for (int limit : new int[] {1, 49, 50, 51, MessageLog.MAX_LIMIT}) {
            List<Long> read = new ArrayList<>();
            long before = Long.MAX_VALUE;
            while (before > 1) {
                Slice slice = log().before(conversation, before, limit);
                assertThat(slice.messages()).hasSizeLessThanOrEqualTo(limit);
                read.addAll(0, seqs(slice));
                assertThat(read).hasSizeLessThanOrEqualTo(count);
                before = slice.messages().isEmpty() ? 1 : seqs(slice).get(0);
            }
            assertThat(read).as("limit %d", limit).isEqualTo(range(1, count));
        }
    }

    @Test
    void theLargestPageIsTenThousandRows() {
        String conversation = conversationOf(10_001);

        assertThat(seqs(log().after(conversation, 0, 10_000))).isEqualTo(range(1, 10_000));
        assertThat(seqs(log().after(conversation, 1, 10_000))).isEqualTo(range(2, 10_001));
        assertThat(seqs(log().after(conversation, 9_951, 50))).isEqualTo(range(9_952, 10_001));
        assertThat(seqs(log().after(conversation, 9_952, 50))).isEqualTo(range(9_953, 10_001));
        assertThat(seqs(log().after(conversation, 10_000, 50))).isEqualTo(range(10_001, 10_001));
        assertThat(seqs(log().after(conversation, 10_001, 50))).isEmpty();
        assertThat(seqs(log().before(conversation, Long.MAX_VALUE, 10_000))).isEqualTo(range(2, 10_001));
        assertThat(seqs(log().before(conversation, 10_001, 10_000))).isEqualTo(range(1, 10_000));
        assertThat(seqs(log().before(conversation, 52, 50))).isEqualTo(range(2, 51));
        assertThat(seqs(log().before(conversation, 51, 50))).isEqualTo(range(1, 50));
        assertThat(seqs(log().before(conversation, 50, 50))).isEqualTo(range(1, 49));
        assertThat(seqs(log().before(conversation, 1, 50))).isEmpty();
        assertThat(log().heads(List.of(conversation))).isEqualTo(Map.of(conversation, headOf(10_001)));
    }

    @Test
    void farPastTheHeadThereAreNoRowsButStillTheHead() {
        String conversation = conversationOf(3);

        for (long after : new long[] {3, 4, 1_000_000_000_000L, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            Slice slice = log().after(conversation, after, 50);
            assertThat(slice.messages()).as("after %d", after).isEmpty();
            assertThat(slice.head()).isEqualTo(headOf(3));
        }
    }

    @Test
    @DisplayName("H16: the anchor is the tag of the row the read started from, and null where there is none")
    void theAnchorIsTheTagOfTheRowTheReadStartedFrom() {
        String conversation = conversationOf(3);

        assertThat(log().after(conversation, 0, 1).anchor()).isNull();
        assertThat(log().after(conversation, 1, 1).anchor()).isEqualTo(tagOf(1));
        assertThat(log().after(conversation, 2, 50).anchor()).isEqualTo(tagOf(2));
        assertThat(log().after(conversation, 3, 50).anchor()).isEqualTo(tagOf(3));
        assertThat(log().after(conversation, 4, 50).anchor()).isNull();
        assertThat(log().after(conversation, Long.MAX_VALUE, 50).anchor()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, MessageLog.MAX_LIMIT + 1, Integer.MAX_VALUE})
    void aWrongLimitIsRefusedByName(int limit) {
        String conversation = conversationOf(1);

        assertRefused("limit", () -> log().after(conversation, 0, limit));
        assertRefused("limit", () -> log().before(conversation, 2, limit));
        assertRefused("limit", () -> log().after(Fresh.id("conversation"), 0, limit));
        assertRefused("limit", () -> log().before(Fresh.id("conversation"), 2, limit));
    }

    @Test
    void aWrongStartIsRefusedByName() {
        String conversation = conversationOf(1);

        assertRefused("after", () -> log().after(conversation, -1, 50));
        assertRefused("after", () -> log().after(conversation, Long.MIN_VALUE, 50));
        assertRefused("before", () -> log().before(conversation, 0, 50));
        assertRefused("before", () -> log().before(conversation, -1, 50));
        assertRefused("before", () -> log().before(conversation, Long.MIN_VALUE, 50));
    }

    static void assertRefused(String field, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(call)
                .satisfies(refused -> assertThat(refused.field()).isEqualTo(field));
    }

    @Test
    void headsAreAnsweredForEveryConversationAsked() {
        String one = conversationOf(1);
        String three = conversationOf(3);
        String unknown = Fresh.id("conversation");

        assertThat(log().heads(List.of(one, unknown, three, one, three, one, unknown)))
                .isEqualTo(Map.of(one, headOf(1), three, headOf(3), unknown, Head.EMPTY));
        assertThat(log().heads(List.of())).isEmpty();
    }

    @Test
    @DisplayName("H33: heads of any number of conversations")
    void headsOfAnyNumberOfConversations() {
        List<String> asked = new ArrayList<>(Fresh.ids("conversation", 70_000));
        String known = conversationOf(2);
        asked.set(69_999, known);

        Map<String, Head> heads = log().heads(asked);

        assertThat(heads).hasSize(70_000);
        assertThat(heads.get(known)).isEqualTo(headOf(2));
        assertThat(heads.get(asked.get(0))).isEqualTo(Head.EMPTY);
    }

    @Test
    void theHeadsTagIsThatOfItsRow() {
        String conversation = Fresh.id("conversation");
        for (int i = 1; i <= 3; i++) {
            fixture.write(drafts(conversation, i, i));
            assertThat(log().heads(List.of(conversation)).get(conversation)).isEqualTo(headOf(i));
        }
        fixture.write(drafts(conversation, 4, 9));
        assertThat(log().heads(List.of(conversation)).get(conversation)).isEqualTo(headOf(9));
        assertThat(log().after(conversation, 9, 1).head()).isEqualTo(headOf(9));
        assertThat(log().before(conversation, 1, 1).head()).isEqualTo(headOf(9));
    }

    @Test
    void conversationsDoNotMix() {
        List<String> conversations = Fresh.ids("conversation", 3);
        fixture.write(Drafts.inTurn(conversations, 30));

        for (String conversation : conversations) {
            Slice slice = log().after(conversation, 0, 50);
            assertThat(seqs(slice)).isEqualTo(range(1, 10));
            assertThat(slice.messages()).allMatch(row -> row.conversation().equals(conversation));
            assertThat(slice.head()).isEqualTo(headOf(10));
        }
    }

    @Test
    void whatIsReturnedCannotBeChanged() {
        String conversation = conversationOf(1);

        assertUnmodifiable(() -> log().after(conversation, 0, 50).messages().clear());
        assertUnmodifiable(() -> log().before(conversation, 2, 50).messages().clear());
        assertUnmodifiable(() -> log().heads(List.of(conversation)).clear());
    }

    static void assertUnmodifiable(ThrowingCallable change) {
        assertThatThrownBy(change).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName(
            "H40: a conversation no message can have is empty or refused by name, never a fault, never another one")
    void anImpossibleConversationIsEmptyOrRefused() {
        String nearlyImpossible = Fresh.id("conversation") + "?";
        fixture.write(drafts(nearlyImpossible, 1, 1));
        String beginning = nearlyImpossible.substring(0, nearlyImpossible.length() - 1);

        // An unpaired surrogate becomes '?' in many an encoder.
        for (String impossible : List.of("", "\0", beginning + "\0", beginning + "\uD800", "x".repeat(256))) {
            assertEmptyOrRefused(
                    () -> assertThat(log().after(impossible, 0, 50).messages()).isEmpty());
            assertEmptyOrRefused(() ->
                    assertThat(log().before(impossible, 50, 50).messages()).isEmpty());
            assertEmptyOrRefused(
                    () -> assertThat(log().heads(List.of(impossible))).isEqualTo(Map.of(impossible, Head.EMPTY)));
        }
    }

    static void assertEmptyOrRefused(Runnable emptiness) {
        try {
            emptiness.run();
        } catch (InvalidInputException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }
}
