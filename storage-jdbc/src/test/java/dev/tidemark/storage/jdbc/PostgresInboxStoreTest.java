package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.jdbc.servers.TestDatabase;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/** The contract of the inbox store on PostgreSQL. */
class PostgresInboxStoreTest {

    @AutoClose
    private static final CursorAndDirectoryDatabase DATABASE = CursorAndDirectoryDatabase.of(TestDatabase.POSTGRESQL);

    @AutoClose
    private static final CursorAndDirectoryDatabase AUTOCOMMIT_OFF =
            CursorAndDirectoryDatabase.withAutocommitOff(TestDatabase.POSTGRESQL);

    @Nested
    class Contract extends JdbcInboxStoreContract {

        Contract() {
            super(DATABASE);
        }
    }

    @Nested
    class ContractWithAutocommitOff extends JdbcInboxStoreContract {

        ContractWithAutocommitOff() {
            super(AUTOCOMMIT_OFF);
        }
    }
}
