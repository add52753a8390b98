package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("H41: a node is paused while it creates a conversation")
class HeldCreationTest {

    @ParameterizedTest
    @EnumSource
    void theConversationIsDeferredAndTheOthersAreStored(TestDatabase server) throws SQLException {
        try (FreshDatabase database = server.freshDatabase()) {
            SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
            JdbcMessageStore store = JdbcMessageStore.over(database.dataSource());
            store.append(List.of(draft("old", "m1")), Duration.ZERO);
            List<Draft> drafts = List.of(draft("held", "m1"), draft("new", "m1"), draft("old", "m2"));

            try (Connection paused = create(database, "held")) {
                for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(1))) {
                    List<AppendResult> results = store.append(drafts, wait);

                    assertThat(results.get(0)).isInstanceOf(AppendResult.Deferred.class);
                    assertThat(results.get(1)).isNotInstanceOf(AppendResult.Deferred.class);
                    assertThat(results.get(2)).isNotInstanceOf(AppendResult.Deferred.class);
                }
                paused.rollback();
            }
            assertThat(store.append(drafts, Duration.ZERO).get(0))
                    .isInstanceOfSatisfying(
                            AppendResult.Appended.class,
                            appended -> assertThat(appended.seq()).isEqualTo(1));
        }
    }

    /** Inserts the row of a conversation in a transaction that stays open. */
    private static Connection create(FreshDatabase database, String conversation) throws SQLException {
        Connection connection = database.unpooled().getConnection();
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO tidemark_conversation"
                + " (conversation_id, head_seq, floor_seq, head_tag) VALUES (?, 0, 0, 0)")) {
            Dialect.detect(connection).setId(insert, 1, conversation);
            insert.executeUpdate();
        }
        return connection;
    }

    private static Draft draft(String conversation, String id) {
        return Draft.of(conversation, "ann", id, Body.of("text"));
    }
}
