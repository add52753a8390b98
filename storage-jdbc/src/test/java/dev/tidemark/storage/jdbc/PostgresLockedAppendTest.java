package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.jdbc.servers.TestDatabase;
import dev.tidemark.storage.tck.CompetingMessageStoresContract;
import dev.tidemark.storage.tck.MessageStoreFixture;
import dev.tidemark.storage.tck.TransactionalMessageStoreContract;
import dev.tidemark.storage.tck.TransactionalMessageStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;

/** The contract on PostgreSQL where the one-statement append is not to be had. */
class PostgresLockedAppendTest {

    private static final ContractDatabase DATABASE = ContractDatabase.standard(
            TestDatabase.POSTGRESQL,
            JdbcOptions.defaults().withDialect(Dialect.postgresql().withoutOneStatementAppend()),
            pool -> {});

    @Nested
    class Contract extends TransactionalMessageStoreContract<Connection> {

        @Override
        protected TransactionalMessageStoreFixture<Connection> open() {
            return DATABASE.fixture();
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
