package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxPage;
import dev.tidemark.storage.MemberKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of inbox entries: the statements, and nothing but the statements. What a batch does to the rows that are there is
 * written once, for all databases, in terms of the old row {@code o} and the new one {@code n}.
 */
abstract class InboxTable {

    /** A way to write many rows at once: what becomes of a row that is there. */
    enum Change {
        INDEX(
                "unread = CASE WHEN o.unread >= 0 AND o.counted_to = CASE WHEN n.unread >= 0 THEN 0 ELSE n.counted_to END"
                        + " THEN o.unread + CASE WHEN n.unread >= 0 THEN n.unread ELSE -1 - n.unread END ELSE -1 END",
                "counted_to = GREATEST(o.counted_to, n.latest_seq)"),
        RECOUNT(
                takingIf("counted_to", Change.KNOWS_NO_MORE),
                takingIf("unread", Change.KNOWS_NO_MORE),
                takingIf("read_to", Change.KNOWS_NO_MORE)),
        READ(
                "unread = CASE WHEN n.read_to <= o.read_to THEN o.unread WHEN n.read_to >= CASE"
                        + " WHEN o.unread >= 0 THEN o.counted_to ELSE GREATEST(o.counted_to, o.latest_seq) END THEN 0 ELSE -1 END",
                "counted_to = CASE WHEN n.read_to <= o.read_to THEN o.counted_to"
                        + " ELSE GREATEST(o.counted_to, n.read_to) END",
                "read_to = GREATEST(o.read_to, n.read_to)");

        /**
         * Still says the same when the columns before have been assigned, as MySQL has it: a counter that was taken does not
         * count further than the one it was taken from.
         */
        private static final String KNOWS_NO_MORE =
                "o.read_to <= n.read_to AND NOT (o.unread >= 0 AND o.counted_to > n.counted_to)";

        private final String counter;

        Change(String... counter) {
            this.counter = String.join(", ", counter);
        }

        /**
         * The assignments. MySQL makes them from left to right, and each sees those before it: so a column that others
         * depend on comes after them.
         */
        String assignments() {
            String newer = "n.latest_seq > 0 AND n.latest_seq >= o.latest_seq";
            String may = this == RECOUNT ? KNOWS_NO_MORE + " AND " : "";
            List<String> all = new ArrayList<>();
            for (String column : List.of("sender_id", "kind", "preview", "stored_at")) {
                all.add(takingIf(column, may + newer));
            }
            all.add(
                    this == RECOUNT
                            ? "recency = CASE WHEN " + KNOWS_NO_MORE
                                    + " THEN GREATEST(o.recency, n.recency) ELSE o.recency END"
                            : "recency = GREATEST(o.recency, n.recency)");
            all.add(takingIf("latest_seq", may + newer));
            all.add(counter);
            return String.join(", ", all);
        }

        private static String takingIf(String column, String condition) {
            return column + " = CASE WHEN " + condition + " THEN n." + column + " ELSE o." + column + " END";
        }
    }

    /** What an entry has beside its key, in the order in which {@link InboxRow} knows it. */
    static final List<String> COLUMNS = List.of(
            "recency", "latest_seq", "sender_id", "kind", "preview", "stored_at", "read_to", "counted_to", "unread");

    static final String ALL_COLUMNS = "user_id, conversation_id, " + String.join(", ", COLUMNS);

    private static final Pattern OLD = Pattern.compile("\\bo\\.(\\w+)");
    private static final Pattern NEW = Pattern.compile("\\bn\\.(\\w+)");

    final Dialect dialect;
    final String table;
    private final KeyedRows<MemberKey> rows;
    private final String listFirst;
    private final String listNext;

    InboxTable(Dialect dialect, String table) {
        this.dialect = dialect;
        this.table = table;
        this.rows = KeyedRows.of(
                dialect,
                table,
                List.of(
                        new KeyedRows.Part<>("user_id", MemberKey::user),
                        new KeyedRows.Part<>("conversation_id", MemberKey::conversation)),
                COLUMNS);
        String list = "SELECT conversation_id, " + String.join(", ", COLUMNS) + " FROM " + table
                + " WHERE user_id = ? AND recency > " + (InboxRow.NO_RECENCY + 1) + "%s"
                + " ORDER BY recency DESC, conversation_id DESC LIMIT ?";
        this.listFirst = list.formatted("");
        // The first bound is for the index, the second one for equal times.
        this.listNext = list.formatted(" AND recency <= ? AND (recency < ? OR conversation_id < ?)");
    }

    static InboxTable of(Dialect dialect, String prefix) {
        String table = prefix + "inbox";
        return switch (dialect.family()) {
            case POSTGRESQL -> new PostgresInboxTable(dialect, table);
            case MYSQL, MARIADB -> new MySqlInboxTable(dialect, table);
            case H2 -> new H2InboxTable(dialect, prefix, table);
        };
    }

    /** The most rows of one {@link #write}. */
    abstract int maxRows();

    /** Whether {@link #write} needs a transaction, for the lock it takes; false by default. */
    boolean takesTurns() {
        return false;
    }

    /**
     * Inserts rows, or changes those that are there.
     *
     * @param given in the order of their keys, which all nodes lock them in: so that two batches wait for one another in one
     *     direction only
     */
    abstract void write(Connection connection, Change change, List<InboxRow> given) throws SQLException;

    void doubt(Connection connection, List<MemberKey> keys) throws SQLException {
        eachOf(connection, "UPDATE " + table + " SET unread = -1", keys);
    }

    void remove(Connection connection, List<MemberKey> keys) throws SQLException {
        eachOf(connection, "DELETE FROM " + table, keys);
    }

    Map<MemberKey, InboxEntry> find(Connection connection, Collection<MemberKey> keys) throws SQLException {
        Map<MemberKey, InboxEntry> found = new HashMap<>();
        rows.read(connection, keys, row -> {
            MemberKey key = new MemberKey(row.getString(2), row.getString(1));
            found.put(key, InboxRow.entry(key, row, 3));
        });
        return found;
    }

    /** A page of a user's list, cut out of one row more. */
    InboxPage list(Connection connection, String user, InboxPage.@Nullable Place after, int limit) throws SQLException {
        try (PreparedStatement statement = dialect.prepareQuery(connection, after == null ? listFirst : listNext)) {
            int index = 1;
            dialect.setId(statement, index++, user);
            if (after != null) {
                long recency = after.recency().toEpochMilli();
                statement.setLong(index++, recency);
                statement.setLong(index++, recency);
                dialect.setId(statement, index++, after.conversation());
            }
            statement.setInt(index, limit + 1);
            try (ResultSet row = statement.executeQuery()) {
                return page(user, row, limit);
            }
        }
    }

    private static InboxPage page(String user, ResultSet row, int limit) throws SQLException {
        List<InboxEntry> entries = new ArrayList<>();
        InboxPage.Place last = null;
        while (row.next()) {
            if (entries.size() == limit) {
                return new InboxPage(entries, last);
            }
            MemberKey key = new MemberKey(row.getString(1), user);
            entries.add(InboxRow.entry(key, row, 2));
            last = new InboxPage.Place(Instant.ofEpochMilli(row.getLong(2)), key.conversation());
        }
        return new InboxPage(entries, null);
    }

    /** The assignments of a change, in a database's words for a column of the old row and of the new one. */
    static String assignments(Change change, String oldColumn, String newColumn) {
        return NEW.matcher(OLD.matcher(change.assignments()).replaceAll(oldColumn))
                .replaceAll(newColumn);
    }

    private void eachOf(Connection connection, String begin, List<MemberKey> keys) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(begin + " WHERE user_id = ? AND conversation_id = ?")) {
            for (MemberKey key : keys) {
                dialect.setId(statement, 1, key.user());
                dialect.setId(statement, 2, key.conversation());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
