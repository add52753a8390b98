package dev.tidemark.storage.jdbc.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestDatabaseTest {

    private static final String WRITE_DELAY =
            "SELECT setting_value FROM information_schema.settings WHERE setting_name = 'WRITE_DELAY'";

    @ParameterizedTest
    @EnumSource
    void isTheDatabaseNamedInTheVersionNamed(TestDatabase kind) throws SQLException {
        try (FreshDatabase database = kind.freshDatabase();
                Connection connection = database.dataSource().getConnection()) {
            DatabaseMetaData server = connection.getMetaData();
            assertThat(server.getDatabaseProductName()).isEqualToIgnoringCase(kind.name());
            if (System.getenv("TIDEMARK_TEST_" + kind + "_URL") == null) { // else the version is its owner's choice
                assertThat(server.getDatabaseProductVersion())
                        .startsWith(
                                switch (kind) {
                                    case POSTGRESQL -> "18.6";
                                    case MARIADB -> "11.4.5";
                                    case MYSQL -> "8.0.31";
                                    case H2 -> "2.";
                                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void commitsAreDurable(TestDatabase kind) throws SQLException {
        try (FreshDatabase database = kind.freshDatabase()) {
            switch (kind) {
                case POSTGRESQL -> {
                    assertThat(query(database, "SHOW fsync")).isEqualTo("on");
                    assertThat(query(database, "SHOW synchronous_commit")).isEqualTo("on");
                    assertThat(query(database, "SHOW full_page_writes")).isEqualTo("on");
                }
                case MARIADB, MYSQL ->
                    assertThat(query(database, "SELECT @@innodb_flush_log_at_trx_commit"))
                            .isEqualTo("1");
                case H2 -> assertThat(query(database, WRITE_DELAY)).isEqualTo("0");
            }
            if (kind == TestDatabase.MYSQL) {
                assertThat(query(database, "SELECT @@sync_binlog")).isEqualTo("1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void startsEmptyAndUnseenByOthers(TestDatabase kind) throws SQLException {
        try (FreshDatabase one = kind.freshDatabase();
                FreshDatabase other = kind.freshDatabase()) {
            execute(one, "CREATE TABLE only_here (id INT)");
            assertThat(query(one, "SELECT COUNT(*) FROM only_here")).isEqualTo("0");
            assertThatThrownBy(() -> query(other, "SELECT COUNT(*) FROM only_here"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingDropsTheDataEvenUnderAnOpenTransaction(TestDatabase kind) throws SQLException {
        FreshDatabase database = kind.freshDatabase();
        execute(database, "CREATE TABLE gone (id INT)");
        Connection leftOpen = database.unpooled().getConnection();
        try {
            leftOpen.setAutoCommit(false);
            execute(leftOpen, "INSERT INTO gone VALUES (1)");
            database.close();
            database.close();
            assertThatThrownBy(() -> reopen(kind, database)).isInstanceOf(SQLException.class);
        } finally {
            leftOpen.abort(Runnable::run);
        }
    }

    private static void reopen(TestDatabase kind, FreshDatabase database) throws SQLException {
        String url = kind == TestDatabase.H2 ? database.url() + ";IFEXISTS=TRUE" : database.url();
        DriverManager.getConnection(url, database.user(), database.password()).close();
    }

    private static void execute(FreshDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(FreshDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
