package dev.tidemark.storage.jdbc.servers;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The one server of a kind in this JVM: the user's own if the environment names it, else one that is started. */
final class SharedServer {

    private static final Map<TestDatabase, SharedServer> ALL =
            Arrays.stream(TestDatabase.values()).collect(Collectors.toMap(Function.identity(), SharedServer::new));

    private final TestDatabase kind;
    private Server server;
    private IllegalStateException failure;

    private SharedServer(TestDatabase kind) {
        this.kind = kind;
    }

    static SharedServer of(TestDatabase kind) {
        return ALL.get(kind);
    }

    /** The server, running. One that did not start is not tried again: it would cost every test the wait. */
    synchronized Server get() {
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        if (server == null) {
            try {
                server = find();
            } catch (IOException | RuntimeException e) {
                IllegalStateException explained = new IllegalStateException(
                        "no %s for the tests: %s (a server of your own can be named in %s)"
                                .formatted(kind, e.getMessage(), variable("URL")),
                        e);
                if (!Thread.currentThread().isInterrupted()) { // a test's time limit says nothing about the server
                    failure = explained;
                }
                throw explained;
            }
        }
        return server;
    }

    private Server find() throws IOException {
        Map<String, String> environment = System.getenv();
        String url = environment.get(variable("URL"));
        if (url != null) {
            return existing(new Access(
                    url,
                    environment.getOrDefault(variable("USER"), ""),
                    environment.getOrDefault(variable("PASSWORD"), "")));
        }
        Workspace workspace = Workspace.ofThisJvm();
        Server started = start(workspace);
        workspace.stopAtExit(started);
        return started;
    }

    private Server existing(Access maintenance) {
        return switch (kind) {
            case POSTGRESQL -> PostgresServer.at(maintenance);
            case MARIADB, MYSQL -> MySqlFamilyServer.at(maintenance);
            case H2 -> throw new IllegalArgumentException("H2 runs in the process that connects, never elsewhere");
        };
    }

    private Server start(Workspace workspace) throws IOException {
        return switch (kind) {
            case POSTGRESQL -> PostgresServer.start(workspace);
            case MARIADB -> MariaDb.start(workspace);
            case MYSQL -> MySql.start(workspace);
            case H2 -> H2Server.start(workspace);
        };
    }

    private String variable(String suffix) {
        return "TIDEMARK_TEST_" + kind + "_" + suffix;
    }
}
