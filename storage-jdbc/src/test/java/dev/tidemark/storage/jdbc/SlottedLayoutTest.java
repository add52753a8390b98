package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.jdbc.servers.TestDatabase;
import dev.tidemark.storage.tck.CompetingMessageStoresContract;
import dev.tidemark.storage.tck.MessageStoreFixture;
import dev.tidemark.storage.tck.TransactionalMessageStoreContract;
import dev.tidemark.storage.tck.TransactionalMessageStoreFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;

/** The contract of the message store on tables of a host's own shape. */
class SlottedLayoutTest {

    private static final ContractDatabase DATABASE = ContractDatabase.open(
            TestDatabase.POSTGRESQL,
            JdbcOptions.defaults(),
            pool -> {},
            SlottedLayout.TABLES,
            SlottedLayoutTest::create,
            (dataSource, options) -> JdbcMessageStore.over(dataSource, options, new SlottedLayout()));

    private static void create(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : SlottedLayout.ddl()) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

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
