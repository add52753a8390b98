package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Keys that travel as one JSON array of arrays, on MySQL and MariaDB. As a list of IN, some hundreds of keys that begin alike
 * exceed what MySQL's optimizer may spend on ranges: it then scans the whole table, whatever index is forced.
 */
final class JsonKeyedRows<K> extends KeyedRows<K> {

    /** More goes into another query: a packet takes 16 MiB by default, a character up to four bytes, a quote an escape more. */
    private static final int MAX_CHARS = 2 * 1024 * 1024;

    private final String sql;

    /**
     * Creates the query.
     *
     * @param collation that of the table's ids; the result of a comparison with another one could not use the index
     */
    JsonKeyedRows(String table, List<Part<K>> key, List<String> columns, String collation) {
        super(table, key, columns);
        String keys = IntStream.range(0, key.size())
                .mapToObj(i -> key.get(i).column() + " VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[" + i + "]'")
                .collect(Collectors.joining(", "));
        String matches = key.stream()
                .map(part -> "t." + part.column() + " = k." + part.column() + " COLLATE " + collation)
                .collect(Collectors.joining(" AND "));
        this.sql = "SELECT " + keyColumns("k.") + ", t." + String.join(", t.", columns)
                + " FROM JSON_TABLE(?, '$[*]' COLUMNS (" + keys + ")) k STRAIGHT_JOIN " + table
                + " t FORCE INDEX (PRIMARY) ON " + matches;
    }

    @Override
    void read(Connection connection, Collection<K> keys, RowReader reader) throws SQLException {
        StringBuilder json = new StringBuilder();
        for (K each : keys) {
            json.append(json.isEmpty() ? '[' : ',');
            append(json, each);
            if (json.length() >= MAX_CHARS) {
                query(connection, json, reader);
                json.setLength(0);
            }
        }
        if (!json.isEmpty()) {
            query(connection, json, reader);
        }
    }

    private void query(Connection connection, StringBuilder json, RowReader reader) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, json.append(']').toString());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    private void append(StringBuilder json, K each) {
        char before = '[';
        for (Part<K> part : key) {
            json.append(before).append('"');
            appendEscaped(json, part.value().apply(each));
            json.append('"');
            before = ',';
        }
        json.append(']');
    }

    private static void appendEscaped(StringBuilder json, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                if (c == '"' || c == '\\') {
                    json.append('\\');
                }
                json.append(c);
            }
        }
    }
}
