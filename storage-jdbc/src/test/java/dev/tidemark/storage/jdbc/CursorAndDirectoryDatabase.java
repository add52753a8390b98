package dev.tidemark.storage.jdbc;

import com.zaxxer.hikari.HikariConfig;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import dev.tidemark.storage.tck.Hold;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A database with the tables in it that the tests of one class share. */
final class CursorAndDirectoryDatabase implements AutoCloseable {

    private final FreshDatabase database;
    private final DataSource dataSource;
    private final JdbcOptions options;

    private CursorAndDirectoryDatabase(TestDatabase server, JdbcOptions options, Consumer<HikariConfig> pool) {
        this.database = server.freshDatabase();
        this.dataSource = database.dataSource(pool);
        this.options = options;
        SchemaInstaller.install(dataSource, options);
    }

    /** With a pool as a host has it, and default options. */
    static CursorAndDirectoryDatabase of(TestDatabase server) {
        return new CursorAndDirectoryDatabase(server, JdbcOptions.defaults(), pool -> {});
    }

    /** With a pool that hands out connections with autocommit off, and tables with another prefix. */
    static CursorAndDirectoryDatabase withAutocommitOff(TestDatabase server) {
        return new CursorAndDirectoryDatabase(
                server, JdbcOptions.defaults().withPrefix("chat_"), pool -> pool.setAutoCommit(false));
    }

    CursorOrDirectoryFixture<JdbcCursorStore> cursors() {
        return new CursorOrDirectoryFixture<>(
                dataSource, options, "INTO " + options.prefix() + "cursor", JdbcCursorStore::over);
    }

    CursorOrDirectoryFixture<JdbcConversationDirectory> directory() {
        return new CursorOrDirectoryFixture<>(
                dataSource, options, "INTO " + options.prefix() + "membership", JdbcConversationDirectory::over);
    }

    CursorOrDirectoryFixture<JdbcInboxStore> inbox() {
        return new CursorOrDirectoryFixture<>(
                dataSource, options, "INTO " + options.prefix() + "inbox", JdbcInboxStore::over);
    }

    /** Does what no store does: the prefix of the tables' names stands for {@code {}}. */
    void tamper(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("{}", options.prefix()));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Does what another node is about to commit: it does so when it is released. */
    Hold uncommitted(String sql) throws SQLException {
        Connection connection = database.unpooled().getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("{}", options.prefix()));
        }
        return () -> {
            try {
                if (!connection.isClosed()) {
                    connection.commit();
                    connection.close();
                }
            } catch (SQLException e) {
                throw new AssertionError(sql, e);
            }
        };
    }

    /** Runs calls while another connection changes the schema without a pause, though not our tables. */
    void whileTheSchemaChanges(Runnable calls) throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        CursorOrDirectoryRace.run(List.of(
                () -> {
                    while (!isDone.get()) {
                        tamper("CREATE TABLE {}other (id INT)");
                        tamper("DROP TABLE {}other");
                    }
                    return true;
                },
                () -> {
                    try {
                        calls.run();
                    } finally {
                        isDone.set(true);
                    }
                    return true;
                }));
    }

    @Override
    public void close() {
        database.close();
    }
}
