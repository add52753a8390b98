package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.jdbc.servers.TestDatabase;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/** The contract of the directory on MariaDB. */
class MariaDbConversationDirectoryTest {

    @AutoClose
    private static final CursorAndDirectoryDatabase DATABASE = CursorAndDirectoryDatabase.of(TestDatabase.MARIADB);

    @AutoClose
    private static final CursorAndDirectoryDatabase AUTOCOMMIT_OFF =
            CursorAndDirectoryDatabase.withAutocommitOff(TestDatabase.MARIADB);

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
