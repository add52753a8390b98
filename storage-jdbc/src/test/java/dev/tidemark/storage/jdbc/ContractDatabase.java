package dev.tidemark.storage.jdbc;

import com.zaxxer.hikari.HikariConfig;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A database that the tests of one class share, with the tables in it, a row of the host's own, and a constraint that
 * Tidemark does not know of.
 */
final class ContractDatabase {

    /** What the constraint refuses. */
    static final Body POISON = Body.of("refused by a constraint");

    static final String HOST_TABLE = "host_row";

    private final Dialect dialect;
    private final DataSource dataSource;
    private final JdbcOptions options;
    private final MessageTables tables;
    private final StoreFactory stores;

    private ContractDatabase(
            Dialect dialect, DataSource dataSource, JdbcOptions options, MessageTables tables, StoreFactory stores) {
        this.dialect = dialect;
        this.dataSource = dataSource;
        this.options = options;
        this.tables = tables;
        this.stores = stores;
    }

    /** Makes a store over a data source. */
    @FunctionalInterface
    interface StoreFactory {
        JdbcMessageStore over(DataSource dataSource, JdbcOptions options);
    }

    /** Tidemark's own tables, under the options' prefix, on a pool with these settings. */
    static ContractDatabase standard(TestDatabase server, JdbcOptions options, Consumer<HikariConfig> pool) {
        return open(
                server,
                options,
                pool,
                MessageTables.standard(options.prefix()),
                dataSource -> SchemaInstaller.install(dataSource, options),
                JdbcMessageStore::over);
    }

    static ContractDatabase open(
            TestDatabase server,
            JdbcOptions options,
            Consumer<HikariConfig> pool,
            MessageTables tables,
            Consumer<DataSource> schema,
            StoreFactory stores) {
        FreshDatabase database = server.freshDatabase();
        DataSource dataSource = database.dataSource(config -> {
            // Where a connection has leaked, the tests after it should fail soon.
            config.setConnectionTimeout(3_000);
            pool.accept(config);
        });
        schema.accept(dataSource);
        ContractDatabase contract = new ContractDatabase(
                options.dialect() != null ? options.dialect() : detect(dataSource),
                dataSource,
                options,
                tables,
                stores);
        contract.execute("CREATE TABLE " + HOST_TABLE + " (id VARCHAR(255) NOT NULL PRIMARY KEY)");
        long poison = new Draft("c", "s", "m", Draft.DEFAULT_KIND, true, POISON).bodyHash();
        for (String messages : tables.messages()) {
            contract.execute("ALTER TABLE " + messages + " ADD CONSTRAINT " + messages + "_poison CHECK ("
                    + tables.bodyHash() + " <> " + poison + ")");
        }
        return contract;
    }

    JdbcMessageStoreFixture fixture() {
        return new JdbcMessageStoreFixture(this);
    }

    Dialect dialect() {
        return dialect;
    }

    DataSource dataSource() {
        return dataSource;
    }

    MessageTables tables() {
        return tables;
    }

    JdbcMessageStore store(DataSource faulty, Clock clock) {
        return stores.over(faulty, options.withClock(clock));
    }

    /** Runs statements in one transaction. */
    void execute(String... statements) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
            connection.commit();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            throw new AssertionError(String.join("; ", statements), e);
        }
    }

    private static Dialect detect(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return Dialect.detect(connection);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
