package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxPage;
import dev.tidemark.storage.InboxRecount;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.MemberKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The reference of {@link InboxStore}. */
public final class InMemoryInboxStore implements InboxStore {

    /** An entry, and the latest time that it was told of. */
    private record Row(InboxEntry entry, Instant recency) {

        static final Comparator<Row> ORDER = Comparator.comparing(Row::recency)
                .thenComparing(row -> row.entry().key().conversation(), InMemoryKeys.BYTE_ORDER)
                .reversed();

        static Row empty(MemberKey key) {
            return new Row(new InboxEntry(key, null, 0, 0, 0), Instant.MIN);
        }

        Row counter(long readTo, long countedTo, int unread) {
            LatestMessage latest = entry.latest();
            long known = unread == InboxEntry.MISS && latest != null ? Math.max(countedTo, latest.seq()) : countedTo;
            return new Row(new InboxEntry(entry.key(), latest, readTo, known, unread), recency);
        }

        Row latest(LatestMessage given) {
            LatestMessage held = entry.latest();
            LatestMessage latest = held == null || given.seq() >= held.seq() ? given : held;
            return new Row(
                    new InboxEntry(entry.key(), latest, entry.readTo(), entry.countedTo(), entry.unread()),
                    given.storedAt().isAfter(recency) ? given.storedAt() : recency);
        }

        InboxPage.Place place() {
            return new InboxPage.Place(recency, entry.key().conversation());
        }
    }

    /** By user, then by conversation. */
    private final Map<String, Map<String, Row>> rows = new HashMap<>();

    /** An empty store. */
    public InMemoryInboxStore() {}

    @Override
    public synchronized void index(Collection<InboxUpdate> updates) {
        check("updates", updates, InboxUpdate::key);
        updates.forEach(update -> check(update.latest()));
        updates.forEach(update -> change(update.key(), row -> index(row, update)));
    }

    @Override
    public synchronized void recount(Collection<InboxRecount> recounts) {
        check("recounts", recounts, InboxRecount::key);
        recounts.forEach(recount -> check(recount.latest()));
        recounts.forEach(recount -> change(recount.key(), row -> recount(row, recount)));
    }

    @Override
    public synchronized void read(Map<MemberKey, Long> readTo) {
        readTo.forEach((key, to) -> {
            check(key);
            if (to < 0) {
                throw new InvalidInputException("readTo", "0 or more, was " + to);
            }
        });
        readTo.forEach((key, to) -> change(key, row -> read(row, to)));
    }

    @Override
    public synchronized void doubt(Collection<MemberKey> keys) {
        for (MemberKey key : keys) {
            if (find(key) != null) {
                change(key, row -> row.counter(row.entry().readTo(), row.entry().countedTo(), InboxEntry.MISS));
            }
        }
    }

    @Override
    public synchronized void remove(Collection<MemberKey> keys) {
        keys.forEach(key -> rows.getOrDefault(key.user(), new HashMap<>()).remove(key.conversation()));
    }

    @Override
    public synchronized Map<MemberKey, InboxEntry> get(Collection<MemberKey> keys) {
        Map<MemberKey, InboxEntry> found = new HashMap<>();
        for (MemberKey key : keys) {
            Row row = find(key);
            if (row != null) {
                found.put(key, row.entry());
            }
        }
        return Map.copyOf(found);
    }

    @Override
    public synchronized InboxPage list(String user, InboxPage.@Nullable Place after, int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidInputException("limit", "1 to " + MAX_LIMIT + ", was " + limit);
        }
        Row start = after == null
                ? null
                : new Row(new InboxEntry(new MemberKey(after.conversation(), user), null, 0, 0, 0), after.recency());
        List<Row> rest = rows.getOrDefault(user, Map.of()).values().stream()
                .filter(row -> row.entry().latest() != null)
                .filter(row -> start == null || Row.ORDER.compare(row, start) > 0)
                .sorted(Row.ORDER)
                .toList();
        List<Row> page = rest.subList(0, Math.min(limit, rest.size()));
        return new InboxPage(
                page.stream().map(Row::entry).toList(),
                page.size() == rest.size() ? null : page.get(page.size() - 1).place());
    }

    private static Row index(Row row, InboxUpdate update) {
        InboxEntry entry = row.entry();
        boolean isNext = !entry.isMiss() && update.first() == entry.countedTo() + 1;
        return row.latest(update.latest())
                .counter(
                        entry.readTo(),
                        Math.max(entry.countedTo(), update.latest().seq()),
                        isNext ? entry.unread() + update.countable() : InboxEntry.MISS);
    }

    private static Row recount(Row row, InboxRecount recount) {
        InboxEntry entry = row.entry();
        boolean knowsMore =
                entry.readTo() > recount.readTo() || (!entry.isMiss() && entry.countedTo() > recount.countedTo());
        if (knowsMore) {
            return row;
        }
        Row shown = recount.latest() == null ? row : row.latest(recount.latest());
        return shown.counter(recount.readTo(), recount.countedTo(), recount.unread());
    }

    private static Row read(Row row, long to) {
        InboxEntry entry = row.entry();
        if (to <= entry.readTo()) {
            return row;
        }
        return to >= entry.countedTo() ? row.counter(to, to, 0) : row.counter(to, entry.countedTo(), InboxEntry.MISS);
    }

    private @Nullable Row find(MemberKey key) {
        return rows.getOrDefault(key.user(), Map.of()).get(key.conversation());
    }

    private void change(MemberKey key, UnaryOperator<Row> change) {
        rows.computeIfAbsent(key.user(), user -> new HashMap<>())
                .compute(key.conversation(), (id, row) -> change.apply(row == null ? Row.empty(key) : row));
    }

    private static <E> void check(String field, Collection<E> elements, Function<E, MemberKey> keyOf) {
        Set<MemberKey> keys = new HashSet<>();
        for (E element : elements) {
            MemberKey key = keyOf.apply(element);
            check(key);
            if (!keys.add(key)) {
                throw new InvalidInputException(field, "each key once, was twice " + key);
            }
        }
    }

    private static void check(MemberKey key) {
        InMemoryKeys.check("conversation", key.conversation());
        InMemoryKeys.check("user", key.user());
    }

    private static void check(@Nullable LatestMessage latest) {
        if (latest != null) {
            InMemoryKeys.check("sender", latest.sender());
            String problem = Ids.problemOfKind(latest.kind());
            if (problem != null) {
                throw new InvalidInputException("kind", problem);
            }
        }
    }
}
