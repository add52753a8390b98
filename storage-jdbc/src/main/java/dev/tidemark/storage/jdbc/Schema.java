package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables on one database under one prefix: their scripts, and the version that is there. */
final class Schema {

    /** The versions in order, each with the name of its script. */
    private static final List<String> SCRIPTS = List.of("V1__tidemark.sql");

    private final Dialect dialect;
    private final String prefix;

    private Schema(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
    }

    static Schema of(Dialect dialect, String prefix) {
        return new Schema(dialect, prefix);
    }

    /** The scripts above a version, in order, with the prefix in the place of the default one. */
    List<String> scriptsAbove(int version) {
        List<String> scripts = new ArrayList<>();
        for (String name : SCRIPTS.subList(version, SCRIPTS.size())) {
            scripts.add(read(resource(name)).replace(JdbcOptions.DEFAULT_PREFIX, prefix));
        }
        return scripts;
    }

    void verify(Connection connection) {
        int version;
        try {
            version = version(connection);
        } catch (SQLException e) {
            throw unsupported("the table " + prefix + "schema cannot be read", 0, e);
        }
        if (version < SCRIPTS.size()) {
            throw unsupported("the tables " + prefix + "* are of version " + version, version, null);
        }
        if (version > SCRIPTS.size()) {
            throw new StorageException(
                    StorageException.Kind.UNSUPPORTED,
                    "the tables " + prefix + "* are of version " + version + ", this release of Tidemark knows "
                            + SCRIPTS.size() + ": use a newer release",
                    null);
        }
    }

    /** The highest version applied; throws when the table of versions is not there. */
    int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT MAX(version) FROM " + prefix + "schema")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private StorageException unsupported(String what, int version, @Nullable SQLException e) {
        return new StorageException(
                StorageException.Kind.UNSUPPORTED,
                what + ", expected version " + SCRIPTS.size() + ": run " + resource(SCRIPTS.get(version))
                        + " from the jar of tidemark-storage-jdbc, or SchemaInstaller.install",
                e);
    }

    private String resource(String script) {
        return "tidemark-schema/" + dialect.name() + "/" + script;
    }

    private static String read(String resource) {
        try (InputStream in = Schema.class.getResourceAsStream("/" + resource)) {
            if (in == null) {
                throw new IllegalStateException("missing from the jar: " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }
}
