package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("P1: a database whose commits may be lost is refused")
class DurabilityTest {

    private static final JdbcOptions WAIVING = JdbcOptions.defaults().waiving(JdbcOptions.Waiver.DURABILITY);

    @ParameterizedTest
    @EnumSource
    void theDefaultsOfAServerAreAccepted(TestDatabase server) {
        try (FreshDatabase database = server.freshDatabase()) {
            SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
            assertThatCode(() -> JdbcMessageStore.over(database.dataSource()).verify())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void postgresWithoutSynchronousCommitIsRefused() throws SQLException {
        try (FreshDatabase database = TestDatabase.POSTGRESQL.freshDatabase()) {
            SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off',"
                        + " current_database()); END $$");
            }
            // Sessions that begin after the change have the setting.
            assertRefusedUnlessWaived(database.unpooled(), "synchronous_commit is off");
        }
    }

    /** The server is shared, but nothing else runs meanwhile. */
    @ParameterizedTest
    @CsvSource({
        "MYSQL, innodb_flush_log_at_trx_commit, 2",
        "MARIADB, innodb_flush_log_at_trx_commit, 2",
        "MYSQL, sync_binlog, 0"
    })
    void mySqlWithoutAFlushPerCommitIsRefused(TestDatabase server, String setting, int value) throws SQLException {
        try (FreshDatabase database = server.freshDatabase()) {
            SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET GLOBAL " + setting + " = " + value);
                try {
                    assertRefusedUnlessWaived(database.dataSource(), setting + " is " + value);
                } finally {
                    statement.execute("SET GLOBAL " + setting + " = 1");
                }
            }
        }
    }

    @Test
    void h2WithItsDefaultWriteDelayIsRefused() {
        try (FreshDatabase database = TestDatabase.H2.freshDatabase()) {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL(database.url().replace(";WRITE_DELAY=0", ""));
            dataSource.setUser(database.user());
            dataSource.setPassword(database.password());
            SchemaInstaller.install(dataSource, JdbcOptions.defaults());
            assertRefusedUnlessWaived(dataSource, "WRITE_DELAY is 500");
        }
    }

    @Test
    void h2InMemoryIsRefused() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:durability;WRITE_DELAY=0;DB_CLOSE_DELAY=-1");
        SchemaInstaller.install(dataSource, JdbcOptions.defaults());
        assertRefusedUnlessWaived(dataSource, "place is memory");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }

    private static void assertRefusedUnlessWaived(DataSource dataSource, String why) {
        assertThatThrownBy(() -> JdbcMessageStore.over(dataSource).verify())
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("not durable")
                .hasMessageContaining(why)
                .hasMessageContaining("Waiver.DURABILITY");
        assertThatCode(() -> JdbcMessageStore.over(dataSource, WAIVING).verify())
                .doesNotThrowAnyException();
    }
}
