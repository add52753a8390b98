package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the rows of a table that have one of many keys, each key made of several ids. However many are asked for, each is
 * looked up in the index, and the queries are few.
 *
 * @param <K> the type of the keys
 */
abstract class KeyedRows<K> {

    final String table;
    final List<Part<K>> key;
    final List<String> columns;

    KeyedRows(String table, List<Part<K>> key, List<String> columns) {
        this.table = table;
        this.key = key;
        this.columns = columns;
    }

    /**
     * Rows as the database is best asked for them.
     *
     * @param key the columns of a key, which lead an index of the table
     * @param columns what is read of each row besides
     */
    static <K> KeyedRows<K> of(Dialect dialect, String table, List<Part<K>> key, List<String> columns) {
        return switch (dialect.family()) {
            case POSTGRESQL -> ArrayKeyedRows.onPostgres(dialect, table, key, columns);
            case H2 -> ArrayKeyedRows.onH2(dialect, table, key, columns);
            case MYSQL -> new JsonKeyedRows<>(table, key, columns, "utf8mb4_0900_bin");
            case MARIADB -> new JsonKeyedRows<>(table, key, columns, "utf8mb4_nopad_bin");
        };
    }

    /**
     * Reads rows in no particular order.
     *
     * @param keys without repeats
     * @param reader is given the columns of the key, then the others
     */
    abstract void read(Connection connection, Collection<K> keys, RowReader reader) throws SQLException;

    String keyColumns(String before) {
        return key.stream().map(part -> before + part.column()).collect(Collectors.joining(", "));
    }

    /**
     * A column of a key.
     *
     * @param column its name
     * @param value its value in a key
     */
    record Part<K>(String column, Function<K, String> value) {}

    /** Takes the current row of a result. */
    @FunctionalInterface
    interface RowReader {

        void read(ResultSet row) throws SQLException;
    }
}
