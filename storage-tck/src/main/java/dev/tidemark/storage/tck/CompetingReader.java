package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoredMessage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One node that reads all the time, following a cursor in every conversation, and believes nothing. */
final class CompetingReader {

    private static final int MAX_LIMIT = 200;

    private final Competition competition;
    private final MessageStore log;
    private final Random random;
    private final Map<String, Place> places = new HashMap<>();

    CompetingReader(Competition competition, MessageStore log, Random random) {
        this.competition = competition;
        this.log = log;
        this.random = random;
        competition.conversations().forEach(conversation -> places.put(conversation, new Place()));
    }

    /** Where the reader is in one conversation, and what it has seen of it. */
    private static final class Place {
        private long cursor;
        private int tag;
        private Head head = Head.EMPTY;
        /** Where the conversation ended whenever it was looked at. */
        private final Set<Long> heads = new HashSet<>();
    }

    void run() throws InterruptedException {
        while (competition.isWriting()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("somebody else has failed");
            }
            switch (random.nextInt(8)) {
                case 0 -> readHeads();
                case 1 -> readNewest(competition.conversation(random));
                case 2 -> findKeys();
                default -> follow(competition.conversation(random));
            }
        }
        for (String conversation : competition.conversations()) {
            while (follow(conversation) > 0) {
                // All of it, now that nobody writes any more.
            }
        }
    }

    /** The heads under which the reader has seen a conversation. */
    Set<Long> heads(String conversation) {
        return place(conversation).heads;
    }

    /** How far the reader came by following its cursor, without a gap. */
    long read(String conversation) {
        return place(conversation).cursor;
    }

    private int follow(String conversation) {
        Place place = place(conversation);
        int limit = 1 + random.nextInt(MAX_LIMIT);
        long acknowledged = competition.acknowledged(conversation);
        Slice slice = log.after(conversation, place.cursor, limit);
        look(conversation, slice.head(), acknowledged);
        assertThat(slice.anchor())
                .as("anchor at %d of %s", place.cursor, conversation)
                .isEqualTo(place.cursor == 0 ? null : place.tag);
        List<StoredMessage> rows = slice.messages();
        assertThat(rows).hasSizeLessThanOrEqualTo(limit);
        for (StoredMessage row : rows) {
            assertThat(row.seq())
                    .as("P2: what follows %d in %s", place.cursor, conversation)
                    .isEqualTo(place.cursor + 1);
            place.cursor = row.seq();
            place.tag = row.tag();
        }
        if (rows.size() < limit) {
            assertThat(place.cursor)
                    .as("rows of %s up to its head", conversation)
                    .isGreaterThanOrEqualTo(slice.head().seq());
            see(place, place.cursor);
        }
        return rows.size();
    }

    private void readNewest(String conversation) {
        long acknowledged = competition.acknowledged(conversation);
        Slice slice = log.before(conversation, Long.MAX_VALUE, 1 + random.nextInt(MAX_LIMIT));
        look(conversation, slice.head(), acknowledged);
        List<StoredMessage> rows = slice.messages();
        for (int i = 1; i < rows.size(); i++) {
            assertThat(rows.get(i).seq())
                    .as("P2: backwards in %s", conversation)
                    .isEqualTo(rows.get(i - 1).seq() + 1);
        }
        long newest = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).seq();
        assertThat(newest)
                .as("newest row of %s", conversation)
                .isGreaterThanOrEqualTo(slice.head().seq());
        see(place(conversation), newest);
    }

    /** All heads at once; the row of one of them has to be there. */
    private void readHeads() {
        Map<String, Long> acknowledged = new HashMap<>();
        competition.conversations().forEach(it -> acknowledged.put(it, competition.acknowledged(it)));
        Map<String, Head> heads = log.heads(competition.conversations());
        assertThat(heads).hasSameSizeAs(competition.conversations());
        heads.forEach((conversation, head) -> look(conversation, head, acknowledged.getOrDefault(conversation, 0L)));
        String conversation = competition.conversation(random);
        Head head = heads.getOrDefault(conversation, Head.EMPTY);
        if (head.seq() > 0) {
            assertThat(log.before(conversation, head.seq() + 1, 1).messages())
                    .as("the row of the head %s of %s", head, conversation)
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.seq()).isEqualTo(head.seq());
                        assertThat(row.tag()).isEqualTo(head.tag());
                    });
        }
    }

    /** What is found is there to be read; what was acknowledged is found. */
    private void findKeys() {
        Set<MessageKey> asked = competition.underWay();
        Draft stored = competition.stored(random);
        if (stored != null) {
            asked.add(stored.key());
        }
        Map<MessageKey, Receipt> found = log.find(asked);
        assertThat(asked).containsAll(found.keySet());
        if (stored != null) {
            assertThat(found).as("P3: what was acknowledged").containsEntry(stored.key(), competition.receipt(stored));
        }
        // The newest is the likeliest not to be there yet.
        found.entrySet().stream()
                .max(Comparator.comparing(entry -> entry.getValue().seq()))
                .ifPresent(newest -> assertReadable(newest.getKey(), newest.getValue()));
    }

    private void assertReadable(MessageKey key, Receipt receipt) {
        assertThat(log.after(key.conversation(), receipt.seq() - 1, 1).messages())
                .as("the row that was found by %s as %s", key, receipt)
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.key()).isEqualTo(key);
                    assertThat(row.seq()).isEqualTo(receipt.seq());
                    assertThat(row.storedAt()).isEqualTo(receipt.storedAt());
                });
    }

    private void look(String conversation, Head head, long acknowledged) {
        Place place = place(conversation);
        assertThat(head.seq())
                .as("the head of %s does not go back", conversation)
                .isGreaterThanOrEqualTo(place.head.seq());
        assertThat(head.seq())
                .as("P1: the head of %s covers what was acknowledged before the read", conversation)
                .isGreaterThanOrEqualTo(acknowledged);
        assertThat(head.floor()).isZero();
        place.head = head;
        see(place, head.seq());
    }

    private static void see(Place place, long head) {
        if (head > 0) {
            place.heads.add(head);
        }
    }

    private Place place(String conversation) {
        Place place = places.get(conversation);
        if (place == null) {
            throw new AssertionError("a conversation nobody asked for: " + conversation);
        }
        return place;
    }
}
