package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Cursors on PostgreSQL, where a batch takes one statement: it answers with the stale marks only, and a count. */
final class PostgresCursorTable extends CursorTable {

    private final String advance;

    PostgresCursorTable(Dialect dialect, String table) {
        super(
                dialect,
                table,
                "INSERT INTO " + table + " AS c (user_id, device_id, conversation_id, seq, generation)"
                        + " VALUES (?, ?, ?, ?, ?) ON CONFLICT (user_id, device_id, conversation_id)"
                        + " DO UPDATE SET seq = EXCLUDED.seq, generation = c.generation + EXCLUDED.generation");
        // Stale marks are found by a look-up first, since that takes no lock and writes nothing: of the marks of a busy
        // server many are repeats. The OFFSET keeps it a look-up by the index; see ArrayKeyedRows.
        advance = "WITH mark AS (SELECT m.*, h.seq AS held_seq, h.generation AS held_generation"
                + " FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])"
                + " WITH ORDINALITY AS m (user_id, device_id, conversation_id, seq, generation, idx)"
                + " LEFT JOIN LATERAL (SELECT seq, generation FROM " + table + " r WHERE r.user_id = m.user_id"
                + " AND r.device_id = m.device_id AND r.conversation_id = m.conversation_id OFFSET 0) h ON TRUE"
                + "), moved AS (INSERT INTO " + table + " AS c (user_id, device_id, conversation_id, seq, generation)"
                + " SELECT user_id, device_id, conversation_id, seq, generation FROM mark"
                + " WHERE held_seq IS NULL OR (held_generation, held_seq) < (generation, seq) ORDER BY idx"
                + " ON CONFLICT (user_id, device_id, conversation_id)"
                + " DO UPDATE SET seq = EXCLUDED.seq, generation = EXCLUDED.generation"
                + " WHERE (c.generation, c.seq) < (EXCLUDED.generation, EXCLUDED.seq) RETURNING 1"
                + ") SELECT idx, held_seq, held_generation FROM mark"
                + " WHERE (held_generation, held_seq) >= (generation, seq)"
                + " UNION ALL SELECT 0, count(*), 0 FROM moved";
    }

    @Override
    int maxMarks() {
        return Integer.MAX_VALUE;
    }

    @Override
    long move(Connection connection, List<Map.Entry<CursorKey, Cursor>> marks, Map<CursorKey, Cursor> held)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(advance)) {
            bindArrays(statement, marks);
            // What is neither is held further than given: another node moved it after the statement's snapshot.
            long movedOrStale = 0;
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int index = rows.getInt(1);
                    if (index == 0) {
                        movedOrStale += rows.getLong(2);
                    } else {
                        movedOrStale++;
                        held.put(marks.get(index - 1).getKey(), cursor(rows, 2));
                    }
                }
            }
            return movedOrStale;
        }
    }
}
