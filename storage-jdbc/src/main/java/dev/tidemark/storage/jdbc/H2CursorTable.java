package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Cursors on H2, where those who write them take turns. */
final class H2CursorTable extends CursorTable {

    private final H2Turns turns;
    private final String move;

    H2CursorTable(Dialect dialect, String prefix, String table) {
        super(
                dialect,
                table,
                merge(
                        table,
                        "(VALUES (CAST(? AS VARBINARY(255)), CAST(? AS VARBINARY(255)), CAST(? AS VARBINARY(255)),"
                                + " CAST(? AS BIGINT), CAST(? AS BIGINT)))",
                        "MATCHED THEN UPDATE SET seq = m.seq, generation = c.generation + m.generation"));
        turns = new H2Turns(dialect, prefix);
        move = merge(
                table,
                "UNNEST(CAST(? AS VARBINARY(255) ARRAY), CAST(? AS VARBINARY(255) ARRAY),"
                        + " CAST(? AS VARBINARY(255) ARRAY), CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY))",
                "MATCHED AND (c.generation, c.seq) < (m.generation, m.seq)"
                        + " THEN UPDATE SET seq = m.seq, generation = m.generation");
    }

    private static String merge(String table, String marks, String whenThere) {
        return "MERGE INTO " + table + " c USING " + marks + " m (user_id, device_id, conversation_id, seq, generation)"
                + " ON c.user_id = m.user_id AND c.device_id = m.device_id AND c.conversation_id = m.conversation_id"
                + " WHEN " + whenThere
                + " WHEN NOT MATCHED THEN INSERT (user_id, device_id, conversation_id, seq, generation)"
                + " VALUES (m.user_id, m.device_id, m.conversation_id, m.seq, m.generation)";
    }

    @Override
    int maxMarks() {
        return Integer.MAX_VALUE;
    }

    @Override
    boolean takesTurns() {
        return true;
    }

    @Override
    Cursor reset(Connection connection, CursorKey key, long seq) throws SQLException {
        turns.take(connection);
        return super.reset(connection, key, seq);
    }

    @Override
    long move(Connection connection, List<Map.Entry<CursorKey, Cursor>> marks, Map<CursorKey, Cursor> held)
            throws SQLException {
        turns.take(connection);
        try (PreparedStatement statement = connection.prepareStatement(move)) {
            bindArrays(statement, marks);
            statement.executeUpdate();
            return 0;
        }
    }
}
