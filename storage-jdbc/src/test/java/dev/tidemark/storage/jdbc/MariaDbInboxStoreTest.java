package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.jdbc.servers.TestDatabase;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/** The contract of the inbox store on MariaDB. */
class MariaDbInboxStoreTest {

    @AutoClose
    private static final CursorAndDirectoryDatabase DATABASE = CursorAndDirectoryDatabase.of(TestDatabase.MARIADB);

    @AutoClose
    private static final CursorAndDirectoryDatabase AUTOCOMMIT_OFF =
            CursorAndDirectoryDatabase.withAutocommitOff(TestDatabase.MARIADB);

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
