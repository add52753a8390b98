package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Inbox entries on PostgreSQL, where a batch of any size takes one statement. */
final class PostgresInboxTable extends InboxTable {

    private final Map<Change, String> writes = new EnumMap<>(Change.class);

    PostgresInboxTable(Dialect dialect, String table) {
        super(dialect, table);
        for (Change change : Change.values()) {
            writes.put(
                    change,
                    "INSERT INTO " + table + " AS o (" + ALL_COLUMNS + ") SELECT * FROM unnest(?::text[], ?::text[],"
                            + " ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bytea[], ?::bigint[], ?::bigint[],"
                            + " ?::bigint[], ?::int[]) ON CONFLICT (user_id, conversation_id) DO UPDATE SET "
                            + assignments(change, "o.$1", "EXCLUDED.$1"));
        }
    }

    @Override
    int maxRows() {
        return Integer.MAX_VALUE;
    }

    @Override
    void write(Connection connection, Change change, List<InboxRow> given) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(writes.get(change))) {
            InboxArrays.bind(statement, given);
            statement.executeUpdate();
        }
    }
}
