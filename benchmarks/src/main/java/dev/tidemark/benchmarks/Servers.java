package dev.tidemark.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.storage.jdbc.JdbcOptions;
import dev.tidemark.storage.jdbc.SchemaInstaller;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.io.IOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import redis.embedded.RedisServer;

/** A PostgreSQL with its default durability and a Redis, the same for every design of one run. */
final class Servers implements AutoCloseable {

    /** Where a design finds them; system properties. */
    static final String URL = "tidemark.benchmark.url";

    static final String USER = "tidemark.benchmark.user";
    static final String PASSWORD = "tidemark.benchmark.password";
    static final String REDIS_PORT = "tidemark.benchmark.redis";

    private static final String CREATE =
            "INSERT INTO tidemark_conversation (conversation_id, head_seq, floor_seq, head_tag) VALUES (?, 0, 0, 0)";

    private final FreshDatabase database;
    private final RedisServer redis;
    private final int redisPort;

    Servers() throws IOException {
        database = TestDatabase.POSTGRESQL.freshDatabase();
        SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
        redisPort = freePort();
        redis = RedisServer.builder()
                .port(redisPort)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no")
                .build();
        redis.start();
    }

    /** Makes the servers known to this process. */
    void announce() {
        System.setProperty(URL, database.url());
        System.setProperty(USER, database.user());
        System.setProperty(PASSWORD, database.password());
        System.setProperty(REDIS_PORT, String.valueOf(redisPort));
    }

    static HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getProperty(URL));
        config.setUsername(System.getProperty(USER));
        config.setPassword(System.getProperty(PASSWORD));
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    static int redisPort() {
        return Integer.getInteger(REDIS_PORT);
    }

    /** Every run begins with conversations and without messages, so that none of them pays for the size of another's. */
    static void emptyTables(HikariDataSource dataSource, int conversations) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement create = connection.prepareStatement(CREATE)) {
            statement.execute("TRUNCATE tidemark_message, tidemark_conversation");
            for (int conversation = 0; conversation < conversations; conversation++) {
                create.setString(1, Message.conversationId(conversation));
                create.addBatch();
            }
            create.executeBatch();
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        redis.stop();
        database.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
