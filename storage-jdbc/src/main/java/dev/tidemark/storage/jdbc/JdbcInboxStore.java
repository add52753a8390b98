package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxPage;
import dev.tidemark.storage.InboxRecount;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.append.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The inbox store on a relational database. It takes a connection for the length of each call. A batch is one statement; on
 * MySQL and MariaDB one for each thousand entries.
 *
 * <p>Whether commits are durable is not checked: what a crash has taken is counted anew (P7).
 *
 * <p>Safe for use by many threads.
 */
public final class JdbcInboxStore implements InboxStore {

    private static final Comparator<MemberKey> ORDER =
            Comparator.comparing(MemberKey::user).thenComparing(MemberKey::conversation);

    private final Database database;
    private final Retries retries;
    private volatile @Nullable InboxTable table;

    private JdbcInboxStore(Database database) {
        this.database = database;
        this.retries = new Retries(database, Backoff.jittered());
    }

    /** A store over Tidemark's own tables, with default options. */
    public static JdbcInboxStore over(DataSource dataSource) {
        return over(dataSource, JdbcOptions.defaults());
    }

    /** A store over Tidemark's own tables. */
    public static JdbcInboxStore over(DataSource dataSource, JdbcOptions options) {
        return new JdbcInboxStore(new Database(dataSource, options));
    }

    @Override
    public void index(Collection<InboxUpdate> updates) {
        write(
                "updates",
                InboxTable.Change.INDEX,
                updates.stream().map(InboxRow::of).toList());
    }

    @Override
    public void recount(Collection<InboxRecount> recounts) {
        write(
                "recounts",
                InboxTable.Change.RECOUNT,
                recounts.stream().map(InboxRow::of).toList());
    }

    @Override
    public void read(Map<MemberKey, Long> readTo) {
        readTo.forEach((key, to) -> {
            if (to < 0) {
                throw new InvalidInputException("readTo", "0 or more, was " + to);
            }
        });
        write(
                "readTo",
                InboxTable.Change.READ,
                readTo.entrySet().stream().map(InboxRow::of).toList());
    }

    @Override
    public void doubt(Collection<MemberKey> keys) {
        change(keys, InboxTable::doubt);
    }

    @Override
    public void remove(Collection<MemberKey> keys) {
        change(keys, InboxTable::remove);
    }

    @Override
    public Map<MemberKey, InboxEntry> get(Collection<MemberKey> keys) {
        List<MemberKey> possible = possible(keys);
        if (possible.isEmpty()) {
            return Map.of();
        }
        InboxTable inbox = table();
        return Map.copyOf(database.connections().query(connection -> inbox.find(connection, possible)));
    }

    @Override
    public InboxPage list(String user, InboxPage.@Nullable Place after, int limit) {
        KeyPages.checkLimit(limit, MAX_LIMIT);
        if (!StoredIds.isPossible(user)) {
            return new InboxPage(List.of(), null);
        }
        InboxTable inbox = table();
        return database.connections().query(connection -> inbox.list(connection, user, after, limit));
    }

    /**
     * Checks that the tables are there and of the right version.
     *
     * @throws dev.tidemark.storage.StorageException {@link dev.tidemark.storage.StorageException.Kind#UNSUPPORTED} with the
     *     remedy in its message
     */
    @Override
    public void verify() {
        database.verifySchema();
    }

    private void write(String field, InboxTable.Change change, List<InboxRow> rows) {
        check(field, rows);
        if (rows.isEmpty()) {
            return;
        }
        InboxTable inbox = table();
        List<InboxRow> sorted =
                rows.stream().sorted(Comparator.comparing(InboxRow::key, ORDER)).toList();
        for (List<InboxRow> chunk : StandardMessageLayout.chunks(sorted, inbox.maxRows())) {
            SqlFunction<InboxTable> write = connection -> {
                inbox.write(connection, change, chunk);
                return inbox;
            };
            if (inbox.takesTurns()) {
                retries.transaction(write);
            } else {
                retries.statements(write);
            }
        }
    }

    private void change(Collection<MemberKey> keys, KeyedChange change) {
        List<MemberKey> sorted = possible(keys);
        if (sorted.isEmpty()) {
            return;
        }
        InboxTable inbox = table();
        retries.transaction(connection -> {
            change.make(inbox, connection, sorted);
            return inbox;
        });
    }

    /** Changes entries that may be there. */
    @FunctionalInterface
    private interface KeyedChange {

        void make(InboxTable inbox, Connection connection, List<MemberKey> keys) throws SQLException;
    }

    private static List<MemberKey> possible(Collection<MemberKey> keys) {
        return keys.stream()
                .filter(key -> StoredIds.isPossible(key.user()) && StoredIds.isPossible(key.conversation()))
                .distinct()
                .sorted(ORDER)
                .toList();
    }

    private static void check(String field, List<InboxRow> rows) {
        Set<MemberKey> keys = new HashSet<>();
        for (InboxRow row : rows) {
            StoredIds.check("conversation", row.key().conversation());
            StoredIds.check("user", row.key().user());
            check(row.latest());
            if (!keys.add(row.key())) {
                throw new InvalidInputException(field, "each key once, was twice " + row.key());
            }
        }
    }

    private static void check(@Nullable LatestMessage latest) {
        if (latest != null) {
            StoredIds.check("sender", latest.sender());
            String problem = Ids.problemOfKind(latest.kind());
            if (problem != null) {
                throw new InvalidInputException("kind", problem);
            }
        }
    }

    private InboxTable table() {
        InboxTable known = table;
        if (known == null) {
            // Two threads may both make it, and make the same.
            known = InboxTable.of(database.dialect(), database.options().prefix());
            table = known;
        }
        return known;
    }
}
