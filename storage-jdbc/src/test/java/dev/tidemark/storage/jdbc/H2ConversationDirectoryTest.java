package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of the directory on H2. */
class H2ConversationDirectoryTest {

    @AutoClose
    private static final CursorAndDirectoryDatabase DATABASE = CursorAndDirectoryDatabase.of(TestDatabase.H2);

    @AutoClose
    private static final CursorAndDirectoryDatabase AUTOCOMMIT_OFF =
            CursorAndDirectoryDatabase.withAutocommitOff(TestDatabase.H2);

    /** H2 compiles a prepared statement anew when the schema has changed since, with the values that are bound by then. */
    @Test
    void aSchemaThatChangesMeanwhileIsNoObstacle() throws Exception {
        MemberKey pair = new MemberKey("schema", "ann");
        try (CursorOrDirectoryFixture<JdbcConversationDirectory> fixture = DATABASE.directory()) {
            JdbcConversationDirectory directory = fixture.store();
            DATABASE.whileTheSchemaChanges(() -> {
                for (int i = 1; i <= 50; i++) {
                    directory.join("schema", "ann", 2L * i);
                    directory.leave("schema", "ann", 2L * i - i % 2);
                    assertThat(directory.visibility(List.of(pair))).containsOnlyKeys(pair);
                    assertThat(directory.members("schema", null, 10).items()).isEmpty();
                    assertThat(directory.conversations("ann", null, 10)).isNotNull();
                }
            });
        }
    }

    @Nested
    class Contract extends JdbcConversationDirectoryContract {

        Contract() {
            super(DATABASE);
        }
    }

    @Nested
    class ContractWithAutocommitOff extends JdbcConversationDirectoryContract {

        ContractWithAutocommitOff() {
            super(AUTOCOMMIT_OFF);
        }
    }
}
