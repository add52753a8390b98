package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore.Held;
import dev.tidemark.storage.DeviceId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The table of cursors: the statements, and nothing but the statements. */
abstract class CursorTable {

    private static final List<KeyedRows.Part<CursorKey>> KEY = List.of(
            new KeyedRows.Part<>("user_id", CursorKey::user),
            new KeyedRows.Part<>("device_id", CursorKey::device),
            new KeyedRows.Part<>("conversation_id", CursorKey::conversation));

    final Dialect dialect;
    private final KeyedRows<CursorKey> rows;
    private final String raise;
    private final String list;

    /**
     * Creates the table's statements.
     *
     * @param raise inserts a cursor, or puts the one that is there to its sequence and adds its generation; its parameters
     *     are those of {@link #bind}
     */
    CursorTable(Dialect dialect, String table, String raise) {
        this.dialect = dialect;
        this.rows = KeyedRows.of(dialect, table, KEY, List.of("seq", "generation"));
        this.raise = raise;
        this.list = "SELECT conversation_id, seq, generation FROM " + table
                + " WHERE user_id = ? AND device_id = ? AND conversation_id > ? ORDER BY conversation_id LIMIT ?";
    }

    static CursorTable of(Dialect dialect, String prefix) {
        String table = prefix + "cursor";
        return switch (dialect.family()) {
            case POSTGRESQL -> new PostgresCursorTable(dialect, table);
            case MYSQL, MARIADB -> new MySqlCursorTable(dialect, table);
            case H2 -> new H2CursorTable(dialect, prefix, table);
        };
    }

    /** The most marks of one {@link #advance}. */
    abstract int maxMarks();

    /** Whether {@link #advance} needs a transaction, for the lock it takes; false by default. */
    boolean takesTurns() {
        return false;
    }

    /**
     * Moves cursors forward.
     *
     * @param marks in the order of their keys, which all nodes lock them in: so that two batches wait for one another in
     *     one direction only
     * @return what is held, for every mark
     */
    Map<CursorKey, Cursor> advance(Connection connection, List<Map.Entry<CursorKey, Cursor>> marks)
            throws SQLException {
        Map<CursorKey, Cursor> held = new HashMap<>();
        marks.forEach(mark -> held.put(mark.getKey(), mark.getValue()));
        if (move(connection, marks, held) < marks.size()) {
            held.putAll(find(connection, held.keySet()));
        }
        return held;
    }

    /**
     * Makes each cursor the greater of the held and the given one.
     *
     * @param held the cursors given; those of which the database tells that a greater one is held are replaced by it
     * @return for how many marks it is known that {@code held} has what is held
     */
    abstract long move(Connection connection, List<Map.Entry<CursorKey, Cursor>> marks, Map<CursorKey, Cursor> held)
            throws SQLException;

    /** Puts a cursor to a sequence of the next generation, inside a transaction. */
    Cursor reset(Connection connection, CursorKey key, long seq) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            bind(statement, 1, key, new Cursor(seq, 1));
            statement.executeUpdate();
        }
        return Objects.requireNonNull(find(connection, List.of(key)).get(key), "the row just written");
    }

    /** Reads cursors; there is no entry for one that was never written. */
    Map<CursorKey, Cursor> find(Connection connection, Collection<CursorKey> keys) throws SQLException {
        Map<CursorKey, Cursor> found = new HashMap<>();
        rows.read(
                connection,
                keys,
                row -> found.put(new CursorKey(row.getString(1), row.getString(2), row.getString(3)), cursor(row, 4)));
        return found;
    }

    /** The cursors of a device after a conversation, in the byte order of the conversation's id. */
    List<Held> list(Connection connection, DeviceId device, String after, int limit) throws SQLException {
        try (PreparedStatement statement = dialect.prepareQuery(connection, list)) {
            dialect.setId(statement, 1, device.user());
            dialect.setId(statement, 2, device.device());
            dialect.setId(statement, 3, after);
            statement.setInt(4, limit);
            List<Held> found = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(new Held(device.in(row.getString(1)), cursor(row, 2)));
                }
            }
            return found;
        }
    }

    static Cursor cursor(ResultSet row, int column) throws SQLException {
        return new Cursor(row.getLong(column), row.getLong(column + 1));
    }

    /** Binds a mark as five parameters: user, device, conversation, sequence, generation; returns the index after them. */
    int bind(PreparedStatement statement, int first, CursorKey key, Cursor cursor) throws SQLException {
        dialect.setId(statement, first, key.user());
        dialect.setId(statement, first + 1, key.device());
        dialect.setId(statement, first + 2, key.conversation());
        statement.setLong(first + 3, cursor.seq());
        statement.setLong(first + 4, cursor.generation());
        return first + 5;
    }

    /** Binds marks as five arrays in the same order. */
    static void bindArrays(PreparedStatement statement, List<Map.Entry<CursorKey, Cursor>> marks) throws SQLException {
        for (int i = 0; i < KEY.size(); i++) {
            Function<CursorKey, String> value = KEY.get(i).value();
            statement.setObject(
                    i + 1,
                    marks.stream().map(mark -> value.apply(mark.getKey())).toArray(String[]::new));
        }
        statement.setObject(4, marks.stream().map(mark -> mark.getValue().seq()).toArray(Long[]::new));
        statement.setObject(
                5, marks.stream().map(mark -> mark.getValue().generation()).toArray(Long[]::new));
    }
}
