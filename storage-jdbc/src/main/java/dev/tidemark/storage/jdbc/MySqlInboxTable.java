package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Inbox entries on MySQL and MariaDB. */
final class MySqlInboxTable extends InboxTable {

    private static final String ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final String insert;
    private final Map<Change, String> updates = new EnumMap<>(Change.class);

    MySqlInboxTable(Dialect dialect, String table) {
        super(dialect, table);
        insert = "INSERT INTO " + table + " (" + ALL_COLUMNS + ") VALUES ";
        for (Change change : Change.values()) {
            updates.put(change, " ON DUPLICATE KEY UPDATE " + assignments(change, "$1", "VALUES($1)"));
        }
    }

    @Override
    int maxRows() {
        return InListMessageLayout.MAX_ROWS;
    }

    @Override
    void write(Connection connection, Change change, List<InboxRow> given) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                insert + InListMessageLayout.list(ROW, given.size()) + updates.get(change))) {
            int index = 1;
            for (InboxRow row : given) {
                index = bind(statement, index, row);
            }
            statement.executeUpdate();
        }
    }

    private static int bind(PreparedStatement statement, int first, InboxRow row) throws SQLException {
        statement.setString(first, row.key().user());
        statement.setString(first + 1, row.key().conversation());
        statement.setLong(first + 2, row.recency());
        statement.setLong(first + 3, row.seq());
        statement.setString(first + 4, row.sender());
        statement.setString(first + 5, row.kind());
        statement.setBytes(first + 6, row.preview());
        statement.setLong(first + 7, row.storedAt());
        statement.setLong(first + 8, row.readTo());
        statement.setLong(first + 9, row.countedTo());
        statement.setInt(first + 10, row.unread());
        return first + 11;
    }
}
