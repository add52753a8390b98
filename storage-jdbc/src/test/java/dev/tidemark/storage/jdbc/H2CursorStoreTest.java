package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of the cursor store on H2. */
class H2CursorStoreTest {

    @AutoClose
    private static final CursorAndDirectoryDatabase DATABASE = CursorAndDirectoryDatabase.of(TestDatabase.H2);

    @AutoClose
    private static final CursorAndDirectoryDatabase AUTOCOMMIT_OFF =
            CursorAndDirectoryDatabase.withAutocommitOff(TestDatabase.H2);

    /** H2 compiles a prepared statement anew when the schema has changed since, with the values that are bound by then. */
    @Test
    void aSchemaThatChangesMeanwhileIsNoObstacle() throws Exception {
        CursorKey key = new CursorKey("ann", "phone", "schema");
        try (CursorOrDirectoryFixture<JdbcCursorStore> fixture = DATABASE.cursors()) {
            JdbcCursorStore store = fixture.store();
            DATABASE.whileTheSchemaChanges(() -> {
                for (int i = 1; i <= 50; i++) {
                    assertThat(store.reset(key, i)).isEqualTo(new Cursor(i, i));
                    store.advance(Map.of(key, new Cursor(i + 1, i)));
                    assertThat(store.get(List.of(key))).containsValue(new Cursor(i + 1, i));
                    assertThat(store.list(key.owner(), null, 10).items()).hasSize(1);
                }
            });
        }
    }

    @Nested
    class Contract extends JdbcCursorStoreContract {

        Contract() {
            super(DATABASE);
        }
    }

    @Nested
    class ContractWithAutocommitOff extends JdbcCursorStoreContract {

        ContractWithAutocommitOff() {
            super(AUTOCOMMIT_OFF);
        }
    }
}
