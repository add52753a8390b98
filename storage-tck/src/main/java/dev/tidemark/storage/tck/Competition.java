package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** What the writers and readers of one competition know of each other, and the reckoning at its end. */
final class Competition {

    /** The one writer all of whose messages are sent by several writers at once. */
    static final String TWIN = "twin";

    private final List<String> conversations;
    private final int messagesPerWriter;
    private final int twins;
    private final AtomicInteger nextTwin = new AtomicInteger();
    private final CountDownLatch writing;

    private final Map<MessageKey, Draft> sent = new ConcurrentHashMap<>();
    private final Map<MessageKey, Told> receipts = new ConcurrentHashMap<>();
    private final Set<MessageKey> appended = ConcurrentHashMap.newKeySet();
    private final List<Draft> stored = new ArrayList<>();
    private final AtomicReferenceArray<@Nullable Draft> underWay = new AtomicReferenceArray<>(64);
    private final Map<String, Tally> tallies = new HashMap<>();

    Competition(List<String> conversations, int writers, int messages) {
        this.conversations = conversations;
        this.twins = messages / 10;
        this.messagesPerWriter = (messages - twins) / writers;
        this.writing = new CountDownLatch(writers);
        conversations.forEach(conversation -> tallies.put(conversation, new Tally()));
    }

    /** What some receipt said. */
    private record Told(long seq, Instant storedAt) {}

    /** What is known of one conversation. */
    private static final class Tally {
        /** The highest sequence some receipt has named: whoever reads from here on has to see it. */
        private final AtomicLong acknowledged = new AtomicLong();
        /** Where commits ended: no reader may see less than a whole one. */
        private final Set<Long> ends = ConcurrentHashMap.newKeySet();
    }

    void run(List<CompetingWriter> writers, List<CompetingReader> readers) throws Exception {
        List<Crew.Work> works = new ArrayList<>();
        writers.forEach(writer -> works.add(() -> {
            try {
                writer.run();
            } finally {
                writing.countDown();
            }
        }));
        readers.forEach(reader -> works.add(reader::run));
        try (Crew crew = new Crew()) {
            crew.run(works);
        }
    }

    boolean isWriting() {
        return writing.getCount() > 0;
    }

    int messagesPerWriter() {
        return messagesPerWriter;
    }

    List<String> conversations() {
        return conversations;
    }

    /** A conversation; every third time the same one, which becomes hot. */
    String conversation(Random random) {
        return conversations.get(random.nextInt(3) == 0 ? 0 : random.nextInt(conversations.size()));
    }

    /** The message that the next two askers are to send at the same time, or null when there are no more. */
    @Nullable Draft twin() {
        int number = nextTwin.getAndIncrement() / 2;
        return number < twins
                ? Drafts.from(TWIN, conversations.get(number % conversations.size()), "m" + number)
                : null;
    }

    /** A message that is known to be stored, or null when there is none yet. */
    @Nullable Draft stored(Random random) {
        synchronized (stored) {
            return stored.isEmpty() ? null : stored.get(random.nextInt(stored.size()));
        }
    }

    long acknowledged(String conversation) {
        return tally(conversation).acknowledged.get();
    }

    private Tally tally(String conversation) {
        Tally tally = tallies.get(conversation);
        if (tally == null) {
            throw new AssertionError("a row of a conversation nobody wrote to: " + conversation);
        }
        return tally;
    }

    /** A draft is handed to a store. */
    void sending(Draft draft) {
        sent.putIfAbsent(draft.key(), draft);
        underWay.set(draft.hashCode() & 63, draft);
    }

    /** Some of what is being stored or was stored not long ago. */
    Set<MessageKey> underWay() {
        Set<MessageKey> keys = new HashSet<>();
        for (int i = 0; i < underWay.length(); i++) {
            Draft draft = underWay.get(i);
            if (draft != null) {
                keys.add(draft.key());
            }
        }
        return keys;
    }

    /** What some receipt said of the message, or null when there is none yet. */
    @Nullable Receipt receipt(Draft draft) {
        Told told = receipts.get(draft.key());
        return told == null ? null : new Receipt(told.seq(), told.storedAt(), draft.bodyHash());
    }

    /** The results of one append, against all that is known so far. */
    void answered(List<Draft> drafts, List<AppendResult> results) {
        assertThat(results).hasSameSizeAs(drafts);
        Map<String, Long> last = new HashMap<>();
        Map<String, Boolean> deferred = new HashMap<>();
        for (int i = 0; i < drafts.size(); i++) {
            Draft draft = drafts.get(i);
            AppendResult result = results.get(i);
            assertThat(deferred.merge(draft.conversation(), Outcomes.isDeferred(result), (all, one) -> all && one))
                    .as("H42: either all drafts of %s are deferred or none", draft.conversation())
                    .isEqualTo(Outcomes.isDeferred(result));
            if (result instanceof AppendResult.Appended it) {
                assertThat(appended.add(draft.key()))
                        .as("appended once: %s", draft)
                        .isTrue();
                Long before = last.put(draft.conversation(), it.seq());
                assertThat(before == null || before + 1 == it.seq())
                        .as("%s follows %s in one append to %s", it, before, draft.conversation())
                        .isTrue();
                told(draft, it.seq(), it.storedAt());
                synchronized (stored) {
                    stored.add(draft);
                }
            } else if (result instanceof AppendResult.Duplicate it) {
                told(draft, it.seq(), it.storedAt());
            } else if (result instanceof AppendResult.Conflict it) {
                Told told = receipts.get(draft.key());
                assertThat(told).as("conflict with what was stored: %s", draft).isNotNull();
                assertThat(it.seq()).isEqualTo(told == null ? 0 : told.seq());
            } else {
                assertThat(Outcomes.isDeferred(result))
                        .as("%s to %s", result, draft)
                        .isTrue();
            }
        }
        last.forEach((conversation, seq) -> tally(conversation).ends.add(seq));
    }

    private void told(Draft draft, long seq, Instant storedAt) {
        Draft first = sent.get(draft.key());
        assertThat(draft.bodyHash())
                .as("answered as the same message: %s", draft)
                .isEqualTo(first == null ? 0 : first.bodyHash());
        Told told = new Told(seq, storedAt);
        Told before = receipts.putIfAbsent(draft.key(), told);
        assertThat(told).as("all receipts of %s are equal", draft).isEqualTo(before == null ? told : before);
        tally(draft.conversation()).acknowledged.accumulateAndGet(seq, Math::max);
    }

    /** Nothing is lost, doubled or out of order; what was told and seen is true. */
    void check(MessageLog log, Collection<CompetingReader> readers) {
        int count = 0;
        for (String conversation : conversations) {
            List<StoredMessage> rows = read(log, conversation);
            count += rows.size();
            check(conversation, rows);
            for (CompetingReader reader : readers) {
                assertThat(tally(conversation).ends)
                        .as("of %s nobody sees half a commit", conversation)
                        .containsAll(reader.heads(conversation));
                assertThat(reader.read(conversation))
                        .as("what a reader got of %s by following its cursor", conversation)
                        .isEqualTo(rows.size());
            }
        }
        assertThat(count).as("messages stored").isEqualTo(sent.size());
        assertThat(appended).as("messages answered by Appended").hasSize(sent.size());
    }

    private static List<StoredMessage> read(MessageLog log, String conversation) {
        List<StoredMessage> rows = new ArrayList<>();
        Slice slice;
        do {
            slice = log.after(conversation, rows.size(), 1_000);
            rows.addAll(slice.messages());
            assertThat(rows.isEmpty() || rows.get(rows.size() - 1).seq() == rows.size())
                    .as("sequences of %s", conversation)
                    .isTrue();
        } while (!slice.messages().isEmpty());
        assertThat(slice.head().seq()).isEqualTo(rows.size());
        return rows;
    }

    private void check(String conversation, List<StoredMessage> rows) {
        Set<MessageKey> keys = new HashSet<>();
        Map<String, Integer> lastOfSender = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            StoredMessage row = rows.get(i);
            assertThat(row.seq()).as("sequences of %s", conversation).isEqualTo(i + 1);
            assertThat(keys.add(row.key())).as("stored once: %s", row).isTrue();
            Draft draft = sent.get(row.key());
            assertThat(draft).as("somebody sent %s", row).isNotNull();
            assertThat(row.body()).isEqualTo(draft == null ? null : draft.body());
            assertThat(receipts.get(row.key()))
                    .as("the receipt of %s", row)
                    .isEqualTo(new Told(row.seq(), row.storedAt()));
            if (!row.sender().equals(TWIN)) {
                int number = Integer.parseInt(row.messageId().substring(1));
                Integer before = lastOfSender.put(row.sender(), number);
                assertThat(before == null || before < number)
                        .as("H42: %s of %s comes after m%s", row.messageId(), row.sender(), before)
                        .isTrue();
            }
        }
    }
}
