package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.append.FreshDrafts;
import dev.tidemark.storage.append.HashedDraft;
import dev.tidemark.storage.append.Locking;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("H41: the one-statement append meets a conversation that is held")
class PostgresLockingTest {

    private final FreshDatabase database = TestDatabase.POSTGRESQL.freshDatabase();
    private final MessageLayout layout = new PostgresMessageLayout(Dialect.postgresql(), "tidemark_");

    PostgresLockingTest() {}

    @BeforeEach
    void twoConversations() {
        SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
        JdbcMessageStore.over(database.dataSource())
                .append(List.of(draft("free", "m1"), draft("held", "m1")), Duration.ZERO);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @EnumSource
    void eachWayAppendsWhatIsFree(Locking locking) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            assertThat(layout.appendFresh(connection, fresh("free", "held", "missing"), locking))
                    .containsOnlyKeys("free", "held");
            assertThat(rows(connection)).containsExactly("free 1", "free 2", "held 1", "held 2");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Locking.class,
            names = {"ANY_ORDER", "IN_ORDER"})
    void waitingIsGivenUpAndNothingIsStored(Locking locking) throws SQLException {
        try (Connection holder = hold("held");
                Connection connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> layout.appendFresh(connection, fresh("free", "held"), locking))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("55P03");
            holder.rollback();
            assertThat(rows(connection)).containsExactly("free 1", "held 1");
        }
    }

    @Test
    void whatIsHeldIsPassedOver() throws SQLException {
        try (Connection holder = hold("held");
                Connection connection = database.dataSource().getConnection()) {
            assertThat(layout.appendFresh(connection, fresh("free", "held"), Locking.PASSING_OVER))
                    .containsOnlyKeys("free");
            assertThat(rows(connection)).containsExactly("free 1", "free 2", "held 1");
            holder.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theConnectionKeepsItsOwnTimeout(Locking locking) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '7s'");
            layout.appendFresh(connection, fresh("free"), locking);
            try (ResultSet row = statement.executeQuery("SHOW lock_timeout")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("7s");
            }
            statement.execute("RESET lock_timeout");
        }
    }

    @Test
    @DisplayName("H15: a head that was set back below the floor gives out no archived number")
    void numbersUpToTheFloorAreNotGivenOut() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE tidemark_conversation SET head_seq = 5, floor_seq = 100");
            layout.appendFresh(connection, fresh("free"), Locking.ANY_ORDER);

            assertThat(rows(connection)).containsExactly("free 1", "free 101", "held 1");
        }
    }

    private Connection hold(String conversation) throws SQLException {
        Connection connection = database.unpooled().getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM tidemark_conversation WHERE conversation_id = '" + conversation
                    + "' FOR NO KEY UPDATE");
        }
        return connection;
    }

    private static List<FreshDrafts> fresh(String... conversations) {
        List<FreshDrafts> fresh = new ArrayList<>();
        for (String conversation : conversations) {
            fresh.add(new FreshDrafts(
                    conversation, List.of(HashedDraft.of(draft(conversation, "m2"))), Instant.ofEpochMilli(2)));
        }
        return fresh;
    }

    private static Draft draft(String conversation, String id) {
        return Draft.of(conversation, "ann", id, Body.of("text"));
    }

    private static List<String> rows(Connection connection) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT conversation_id || ' ' || seq FROM tidemark_message ORDER BY conversation_id, seq")) {
            while (row.next()) {
                rows.add(row.getString(1));
            }
        }
        return rows;
    }
}
