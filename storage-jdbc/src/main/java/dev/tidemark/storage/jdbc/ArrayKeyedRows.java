package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Keys that travel as arrays, one per column: one query, and one text of it, for any number of them. */
final class ArrayKeyedRows<K> extends KeyedRows<K> {

    private final Dialect dialect;
    private final String sql;

    private ArrayKeyedRows(
            Dialect dialect, String table, List<Part<K>> key, List<String> columns, String arrayType, String join) {
        super(table, key, columns);
        this.dialect = dialect;
        String arrays = String.join(", ", Collections.nCopies(key.size(), "CAST(? AS " + arrayType + ")"));
        this.sql = "SELECT " + keyColumns("k.") + ", t." + String.join(", t.", columns) + " FROM UNNEST(" + arrays
                + ") AS k (" + keyColumns("") + ") " + join;
    }

    /**
     * The sub-select with its OFFSET can only be run once per key, and so by the index. As a plain join it might be planned
     * on the empty table as a scan, and that plan would stay in use while the table grows.
     */
    static <K> ArrayKeyedRows<K> onPostgres(Dialect dialect, String table, List<Part<K>> key, List<String> columns) {
        return new ArrayKeyedRows<>(
                dialect,
                table,
                key,
                columns,
                "text[]",
                "CROSS JOIN LATERAL (SELECT " + String.join(", ", columns) + " FROM " + table + " r WHERE "
                        + matches("r", key) + " OFFSET 0) t");
    }

    static <K> ArrayKeyedRows<K> onH2(Dialect dialect, String table, List<Part<K>> key, List<String> columns) {
        return new ArrayKeyedRows<>(
                dialect, table, key, columns, "VARBINARY(255) ARRAY", "JOIN " + table + " t ON " + matches("t", key));
    }

    @Override
    void read(Connection connection, Collection<K> keys, RowReader reader) throws SQLException {
        try (PreparedStatement statement = dialect.prepareQuery(connection, sql)) {
            for (int i = 0; i < key.size(); i++) {
                statement.setObject(i + 1, keys.stream().map(key.get(i).value()).toArray(String[]::new));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    private static <K> String matches(String alias, List<Part<K>> key) {
        return key.stream()
                .map(part -> alias + "." + part.column() + " = k." + part.column())
                .collect(Collectors.joining(" AND "));
    }
}
