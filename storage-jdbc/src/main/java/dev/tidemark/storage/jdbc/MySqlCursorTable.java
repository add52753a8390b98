package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Cursors on MySQL and MariaDB. */
final class MySqlCursorTable extends CursorTable {

    private final String insert;

    MySqlCursorTable(Dialect dialect, String table) {
        super(
                dialect,
                table,
                "INSERT INTO " + table
                        + " (user_id, device_id, conversation_id, seq, generation) VALUES (?, ?, ?, ?, ?)"
                        + " ON DUPLICATE KEY UPDATE seq = VALUES(seq), generation = generation + VALUES(generation)");
        insert = "INSERT INTO " + table + " (user_id, device_id, conversation_id, seq, generation) VALUES ";
    }

    @Override
    int maxMarks() {
        return InListMessageLayout.MAX_ROWS;
    }

    @Override
    long move(Connection connection, List<Map.Entry<CursorKey, Cursor>> marks, Map<CursorKey, Cursor> held)
            throws SQLException {
        // Assignments are made from left to right, so the first one compares with the generation as it was.
        try (PreparedStatement statement = connection.prepareStatement(insert
                + InListMessageLayout.list("(?, ?, ?, ?, ?)", marks.size())
                + " ON DUPLICATE KEY UPDATE"
                + " seq = IF((generation, seq) < (VALUES(generation), VALUES(seq)), VALUES(seq), seq),"
                + " generation = GREATEST(generation, VALUES(generation))")) {
            int index = 1;
            for (Map.Entry<CursorKey, Cursor> mark : marks) {
                index = bind(statement, index, mark.getKey(), mark.getValue());
            }
            statement.executeUpdate();
            return 0;
        }
    }
}
