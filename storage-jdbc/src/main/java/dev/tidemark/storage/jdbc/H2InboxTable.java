package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Inbox entries on H2, where those who write them take turns. */
final class H2InboxTable extends InboxTable {

    private final H2Turns turns;
    private final Map<Change, String> writes = new EnumMap<>(Change.class);

    H2InboxTable(Dialect dialect, String prefix, String table) {
        super(dialect, table);
        turns = new H2Turns(dialect, prefix);
        for (Change change : Change.values()) {
            writes.put(
                    change,
                    "MERGE INTO " + table + " o USING UNNEST(CAST(? AS VARBINARY(255) ARRAY),"
                            + " CAST(? AS VARBINARY(255) ARRAY), CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY),"
                            + " CAST(? AS VARBINARY(255) ARRAY), CAST(? AS VARBINARY(32) ARRAY),"
                            + " CAST(? AS VARBINARY(1024) ARRAY), CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY),"
                            + " CAST(? AS BIGINT ARRAY), CAST(? AS INTEGER ARRAY)) n (" + ALL_COLUMNS + ")"
                            + " ON o.user_id = n.user_id AND o.conversation_id = n.conversation_id"
                            + " WHEN MATCHED THEN UPDATE SET " + assignments(change, "o.$1", "n.$1")
                            + " WHEN NOT MATCHED THEN INSERT (" + ALL_COLUMNS + ") VALUES (n."
                            + ALL_COLUMNS.replace(", ", ", n.") + ")");
        }
    }

    @Override
    int maxRows() {
        return Integer.MAX_VALUE;
    }

    @Override
    boolean takesTurns() {
        return true;
    }

    @Override
    void write(Connection connection, Change change, List<InboxRow> given) throws SQLException {
        turns.take(connection);
        try (PreparedStatement statement = connection.prepareStatement(writes.get(change))) {
            InboxArrays.bind(statement, given);
            statement.executeUpdate();
        }
    }
}
