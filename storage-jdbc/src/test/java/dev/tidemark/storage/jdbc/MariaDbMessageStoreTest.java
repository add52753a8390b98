package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.jdbc.servers.TestDatabase;
import dev.tidemark.storage.tck.CompetingMessageStoresContract;
import dev.tidemark.storage.tck.MessageStoreFixture;
import dev.tidemark.storage.tck.TransactionalMessageStoreContract;
import dev.tidemark.storage.tck.TransactionalMessageStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;

/** The contract of the message store on MariaDB. */
class MariaDbMessageStoreTest {

    private static final ContractDatabase DATABASE =
            ContractDatabase.standard(TestDatabase.MARIADB, JdbcOptions.defaults(), pool -> {});

    private static final ContractDatabase AUTOCOMMIT_OFF = ContractDatabase.standard(
            TestDatabase.MARIADB, JdbcOptions.defaults().withPrefix("chat_"), pool -> pool.setAutoCommit(false));

    @Nested
    class Contract extends TransactionalMessageStoreContract<Connection> {

        @Override
        protected TransactionalMessageStoreFixture<Connection> open() {
            return DATABASE.fixture();
        }
    }

    /** The same on connections that a pool hands out with autocommit off, in tables with another prefix. */
    @Nested
    class ContractWithAutocommitOff extends TransactionalMessageStoreContract<Connection> {

        @Override
        protected TransactionalMessageStoreFixture<Connection> open() {
            return AUTOCOMMIT_OFF.fixture();
        }
    }

    @Nested
    class Competing extends CompetingMessageStoresContract {

        @Override
        protected MessageStoreFixture open() {
            return DATABASE.fixture();
        }
    }
}
