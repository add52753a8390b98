package dev.tidemark.storage.jdbc.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** H2 has no server: every database is a file that the connecting process opens for itself alone. */
final class H2Server implements Server {

    private final Path folder;
    private final Map<String, Access> databases = new ConcurrentHashMap<>();

    private H2Server(Path folder) {
        this.folder = folder;
    }

    static Server start(Workspace workspace) throws IOException {
        return new H2Server(workspace.newFolder("h2"));
    }

    /**
     * WRITE_DELAY=0, since with H2's default a process that is killed loses rows it had committed. Without a shutdown
     * hook of H2's own, which would write to files that ours is just deleting.
     */
    @Override
    public Access create(String database) {
        Path file = folder.resolve(database).resolve("data");
        Access access = new Access("jdbc:h2:file:" + file + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE", "sa", "");
        databases.put(database, access);
        return access;
    }

    @Override
    public void drop(String database) {
        Access access = databases.remove(database);
        // closes the file under connections that a test has left open
        try (Connection connection = access.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            throw new IllegalStateException("cannot close " + access, e);
        } finally {
            delete(folder.resolve(database));
        }
    }

    private static void delete(Path folder) {
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop() {
        databases.keySet().forEach(this::drop);
    }
}
