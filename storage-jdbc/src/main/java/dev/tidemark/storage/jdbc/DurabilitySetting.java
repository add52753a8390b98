package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A setting of a database on which the durability of its commits hangs (P1).
 *
 * @param name as the database's documentation calls it
 * @param query asks for its value
 * @param durable the values with which commits are durable
 */
record DurabilitySetting(String name, String query, List<String> durable) {

    static final List<DurabilitySetting> POSTGRESQL = List.of(
            new DurabilitySetting(
                    "synchronous_commit",
                    "SELECT current_setting('synchronous_commit')",
                    List.of("on", "local", "remote_write", "remote_apply")),
            new DurabilitySetting("fsync", "SELECT current_setting('fsync')", List.of("on")));

    /** The binary log's own sync matters only where there is one: after a crash it decides which commits stay. */
    static final List<DurabilitySetting> MYSQL = List.of(
            new DurabilitySetting(
                    "innodb_flush_log_at_trx_commit", "SELECT @@innodb_flush_log_at_trx_commit", List.of("1")),
            new DurabilitySetting("sync_binlog", "SELECT IF(@@log_bin, @@sync_binlog, 1)", List.of("1")));

    /** H2's default of 500 ms loses what was committed within it; a database in memory loses everything. */
    static final List<DurabilitySetting> H2 = List.of(
            new DurabilitySetting(
                    "WRITE_DELAY",
                    "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'",
                    List.of("0")),
            new DurabilitySetting(
                    "the database's place",
                    "SELECT CASE WHEN DATABASE_PATH() IS NULL THEN 'memory' ELSE 'file' END",
                    List.of("file")));

    @Nullable String gap(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            String value = rows.next() ? String.valueOf(rows.getString(1)).toLowerCase(Locale.ROOT) : "unknown";
            return durable.contains(value)
                    ? null
                    : name + " is " + value + ", expected " + String.join(" or ", durable);
        }
    }
}
