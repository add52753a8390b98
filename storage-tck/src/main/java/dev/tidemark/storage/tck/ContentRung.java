package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.Drafts.draft;
import static dev.tidemark.storage.tck.Outcomes.appended;
import static dev.tidemark.storage.tck.Outcomes.conflict;
import static dev.tidemark.storage.tck.Outcomes.duplicate;
import static dev.tidemark.storage.tck.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What can be said in an id and a body: everything is stored exactly, or refused by name. */
abstract class ContentRung extends RepeatRung {

    private static final int MEBIBYTE = 1024 * 1024;

    /** The largest body the tests make, whatever the store could hold. */
    private static final int AFFORDABLE = 16 * MEBIBYTE;

    @Test
    @DisplayName("H40: message ids are compared byte for byte")
    void differentMessageIdsAreDifferentMessages() {
        String conversation = Fresh.id("conversation");
        assertAllDistinct(TrickyIds.DISTINCT.stream()
                .map(id -> Draft.of(conversation, "ann", id, Body.of("same")))
                .toList());
        assertThat(ids(conversation)).isEqualTo(TrickyIds.DISTINCT);
    }

    @Test
    @DisplayName("H40: senders are compared byte for byte")
    void differentSendersAreDifferentSenders() {
        String conversation = Fresh.id("conversation");
        assertAllDistinct(TrickyIds.DISTINCT.stream()
                .map(id -> Draft.of(conversation, id, "id", Body.of("same")))
                .toList());
        assertThat(rows(conversation)).extracting(StoredMessage::sender).isEqualTo(TrickyIds.DISTINCT);
    }

    /** All of one conversation. */
    private void assertAllDistinct(List<Draft> drafts) {
        List<String> repeated =
                range(1, drafts.size()).stream().map(Outcomes::duplicate).toList();

        assertThat(append(drafts)).isEqualTo(appended(1, drafts.size()));
        assertThat(append(drafts)).isEqualTo(repeated);

        Map<MessageKey, Receipt> found =
                store().find(drafts.stream().map(Draft::key).toList());
        for (int i = 0; i < drafts.size(); i++) {
            assertThat(found.get(drafts.get(i).key()))
                    .as("receipt of %s", drafts.get(i))
                    .extracting(Receipt::seq)
                    .isEqualTo(i + 1L);
        }
    }

    @Test
    @DisplayName("H40: conversations are compared byte for byte")
    void differentConversationsAreDifferentConversations() {
        String prefix = Fresh.id("");
        // A common beginning makes them fresh; the longest would become too long by it.
        List<String> conversations = TrickyIds.DISTINCT.stream()
                .map(id -> prefix + id)
                .filter(id -> Ids.problemOf(id) == null)
                .toList();
        List<Draft> drafts =
                conversations.stream().map(id -> draft(id, "m1", id)).toList();

        assertThat(append(drafts)).containsOnly(appended(1));
        assertThat(append(drafts)).containsOnly(duplicate(1));

        assertThat(log().heads(conversations))
                .hasSameSizeAs(conversations)
                .allSatisfy((id, head) -> assertThat(head).isEqualTo(headOf(1)));
        for (String conversation : conversations) {
            assertThat(log().after(conversation, 0, 50).messages())
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.conversation()).isEqualTo(conversation);
                        assertThat(row.body()).isEqualTo(Body.of(conversation));
                    });
        }
    }

    @Test
    @DisplayName("H40: what separates ids does not join them: a:b + c is not a + b:c")
    void separatorsInsideIdsDoNotMoveTheirBounds() {
        String conversation = Fresh.id("conversation");
        for (String separator : List.of("/", ":", "|", ",", " ", "\u0001", "-", "\\", "'", "\u001F")) {
            Draft left = Draft.of(conversation, "a" + separator + "b", "c", Body.of("same"));
            Draft right = Draft.of(conversation, "a", "b" + separator + "c", Body.of("same"));
            Draft inner = Draft.of(conversation + separator + "a", "b", "c", Body.of("same"));
            Draft outer = Draft.of(conversation, "a" + separator + "b", "c" + separator, Body.of("same"));

            assertThat(append(left, right, inner, outer))
                    .as("separator <%s>", separator)
                    .allMatch(outcome -> outcome.startsWith("appended"));
            assertThat(append(left, right, inner, outer)).allMatch(outcome -> outcome.startsWith("duplicate"));
        }
    }

    @Test
    @DisplayName("H40: all three ids of the greatest length at once, different in the last byte only")
    void threeIdsOfTheGreatestLengthAreStored() {
        String beginning = Fresh.id("");
        String filler = "x".repeat(Ids.MAX_BYTES - beginning.length() - 1);
        List<Draft> drafts = new ArrayList<>();
        for (String conversation : List.of(beginning + filler + "a", beginning + filler + "b")) {
            for (String sender : List.of(TrickyIds.longest('a'), TrickyIds.longest('b'))) {
                for (String id : List.of(TrickyIds.longest('a'), TrickyIds.longest('b'))) {
                    drafts.add(Draft.of(conversation, sender, id, Body.of("same")));
                }
            }
        }
        List<String> numbers = List.of("1", "2", "3", "4", "1", "2", "3", "4");

        assertThat(append(drafts))
                .isEqualTo(numbers.stream().map(seq -> "appended " + seq).toList());
        assertThat(append(drafts))
                .isEqualTo(numbers.stream().map(seq -> "duplicate " + seq).toList());
        assertThat(rows(beginning + filler + "b"))
                .extracting(StoredMessage::key)
                .isEqualTo(drafts.subList(4, 8).stream().map(Draft::key).toList());
    }

    @Test
    @DisplayName("H40: the greatest length is counted in bytes: 63 characters of 4 and 3 of 1 fit")
    void theGreatestLengthIsCountedInBytes() {
        String longest = "\uD83D\uDE00".repeat(63) + "abc";
        String conversation = Fresh.id("\uD83D\uDE00");

        assertThat(append(Draft.of(conversation, longest, longest, Body.of("\uD83D\uDE00"))))
                .containsExactly(appended(1));
        assertThat(rows(conversation)).singleElement().satisfies(row -> {
            assertThat(row.key()).isEqualTo(new MessageKey(conversation, longest, longest));
            assertThat(row.body().toText()).isEqualTo("\uD83D\uDE00");
        });
    }

    @Test
    @DisplayName("H40, H7: an id that is none is refused by the name of its field; the neighbours are stored")
    void aWrongIdIsRefusedByTheNameOfItsField() {
        String conversation = Fresh.id("conversation");
        List<Draft> drafts = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String wrong : TrickyIds.WRONG) {
            drafts.add(Draft.of(wrong, "ann", "id", Body.of("body")));
            expected.add(rejected("conversation"));
            drafts.add(Draft.of(conversation, wrong, "id", Body.of("body")));
            expected.add(rejected("sender"));
            drafts.add(Draft.of(conversation, "ann", wrong, Body.of("body")));
            expected.add(rejected("messageId"));
            drafts.add(draft(conversation, "m" + drafts.size() / 4));
            expected.add(appended(drafts.size() / 4));
        }

        assertThat(append(drafts)).isEqualTo(expected);
        assertThat(rows(conversation)).hasSize(TrickyIds.WRONG.size());
        assertThat(head(conversation).seq()).isEqualTo(TrickyIds.WRONG.size());
    }

    @Test
    void aConversationOfRejectedDraftsOnlyStaysEmpty() {
        String conversation = Fresh.id("conversation");

        assertThat(append(Draft.of(conversation, "ann", "", Body.empty()))).containsExactly(rejected("messageId"));
        assertThat(head(conversation)).isEqualTo(Head.EMPTY);
        assertThat(append(draft(conversation, "m1"))).containsExactly(appended(1));
    }

    @Test
    @DisplayName("H40: kinds of every length up to the greatest; others are refused by name")
    void aWrongKindIsRefusedByName() {
        String conversation = Fresh.id("conversation");
        List<String> right = List.of("t", "k".repeat(32), "\uD83D\uDE00".repeat(8), "Text", "text ", "a/b");
        List<String> wrong = List.of("", "k".repeat(33), "te\0xt", "\uD83D", "\uD83D\uDE00".repeat(8) + "x");

        for (int i = 0; i < right.size(); i++) {
            assertThat(append(new Draft(conversation, "ann", "m" + i, right.get(i), true, Body.empty())))
                    .containsExactly(appended(i + 1));
        }
        for (String kind : wrong) {
            assertThat(append(new Draft(conversation, "ann", "wrong", kind, true, Body.empty())))
                    .containsExactly(rejected("kind"));
        }
        assertThat(rows(conversation)).extracting(StoredMessage::kind).isEqualTo(right);
    }

    @Test
    @DisplayName("H40: bodies are bytes: every value, zeros, wrong UTF-8, text beyond the basic plane, nothing at all")
    void bodiesComeBackExactly() {
        String conversation = Fresh.id("conversation");
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        List<Body> bodies = List.of(
                Body.empty(),
                Body.of(new byte[1]),
                Body.of(new byte[100]),
                Body.wrap(everyByte),
                Body.of(new byte[] {(byte) 0xC3}),
                Body.of(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}),
                Body.of("\uD83D\uDE00 \u0000 e\u0301 \u00E9"),
                Body.of("\\x00 %00 'quoted' \"quoted\" \\"),
                Body.of(" "),
                Body.of("trailing  "),
                Body.of("line\r\nline\n"));
        List<Draft> drafts = new ArrayList<>();
        for (int i = 0; i < bodies.size(); i++) {
            drafts.add(Draft.of(conversation, "ann", "m" + i, bodies.get(i)));
        }

        append(drafts);

        assertThat(rows(conversation)).extracting(StoredMessage::body).isEqualTo(bodies);
        assertThat(append(drafts)).allMatch(outcome -> outcome.startsWith("duplicate"));
        // Bodies that differ in what a text column may lose are not the same message.
        assertThat(append(Draft.of(conversation, "ann", "m8", Body.of("  ")))).containsExactly(conflict(9));
        assertThat(append(Draft.of(conversation, "ann", "m0", Body.of(new byte[1]))))
                .containsExactly(conflict(1));
    }

    @Test
    @DisplayName("H40: a body of a mebibyte is stored exactly or refused by name")
    void aBodyOfAMebibyteIsStoredExactlyOrRefused() {
        Seed.run(seed -> {
            String conversation = Fresh.id("conversation");
            Draft large = Draft.of(conversation, "ann", "large", body(MEBIBYTE, seed.random(0)));
            boolean fits = store().limits().maxBodyBytes() >= MEBIBYTE;

            assertThat(append(draft(conversation, "m1"), large, draft(conversation, "m2")))
                    .isEqualTo(fits ? appended(1, 3) : List.of(appended(1), rejected("body"), appended(2)));
            assertThat(rows(conversation)).hasSize(fits ? 3 : 2);
            if (fits) {
                assertThat(rows(conversation).get(1).body()).isEqualTo(large.body());
                assertThat(append(large)).containsExactly(duplicate(2));
            }
        });
    }

    @Test
    @DisplayName("H40: the largest body is stored exactly, one byte more is refused by name")
    void theLargestBodyIsStoredAndOneByteMoreIsRefused() {
        int limit = store().limits().maxBodyBytes();
        int largest = Math.min(limit, AFFORDABLE);
        Seed.run(seed -> {
            String conversation = Fresh.id("conversation");
            Draft draft = Draft.of(conversation, "ann", "largest", body(largest, seed.random(0)));

            assertThat(append(draft)).containsExactly(appended(1));
            assertThat(rows(conversation))
                    .singleElement()
                    .satisfies(row -> assertThat(row.body()).isEqualTo(draft.body()));
            if (limit == largest) {
                AppendResult tooLarge = store().append(
                                List.of(Draft.of(conversation, "ann", "more", Body.wrap(new byte[limit + 1]))))
                        .get(0);
                assertThat(Outcomes.of(tooLarge)).isEqualTo(rejected("body"));
                assertThat(rows(conversation)).hasSize(1);
            }
        });
    }

    private static Body body(int size, Random random) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return Body.wrap(bytes);
    }
}
