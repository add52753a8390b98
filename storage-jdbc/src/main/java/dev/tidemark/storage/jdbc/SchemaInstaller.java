package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Creates Tidemark's tables, for a host that asks for it. Nothing else of Tidemark ever runs DDL.
 *
 * <p>A host that migrates its schema by a tool of its own uses the scripts in the jar under {@code
 * tidemark-schema/postgresql}, {@code mysql}, {@code mariadb} or {@code h2} as they are (Flyway finds them by their names),
 * or, under a prefix of its own, what {@link #scripts} gives.
 */
public final class SchemaInstaller {

    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$");

    private static final Pattern END_OF_STATEMENT = Pattern.compile(";");

    private SchemaInstaller() {}

    /**
     * Brings the tables up to the version this release knows; does nothing when they are there already. To be run by one
     * process at a time: where DDL is not transactional, two at once may see each other's half.
     *
     * @param dataSource the database
     * @param options prefix and dialect
     * @throws StorageException {@link StorageException.Kind#UNAVAILABLE} or {@link StorageException.Kind#UNSUPPORTED} when
     *     the database refuses
     */
    public static void install(DataSource dataSource, JdbcOptions options) {
        Database database = new Database(dataSource, options);
        Schema schema = Schema.of(database.dialect(), options.prefix());
        int version = database.connections().query(connection -> installedVersion(schema, connection));
        for (String script : schema.scriptsAbove(version)) {
            database.connections().transaction(connection -> {
                run(connection, script);
                return script;
            });
        }
    }

    /**
     * The scripts, in order, that create the tables from nothing under a prefix.
     *
     * @param dialect the database they are for
     * @param prefix as in {@link JdbcOptions#withPrefix}
     * @throws dev.tidemark.error.InvalidInputException naming {@code prefix}
     */
    public static List<String> scripts(Dialect dialect, String prefix) {
        JdbcOptions.checkPrefix(prefix);
        return Schema.of(dialect, prefix).scriptsAbove(0);
    }

    private static int installedVersion(Schema schema, Connection connection) {
        try {
            return schema.version(connection);
        } catch (SQLException e) {
            // There is no table of versions, so there is nothing yet. If it is anything else, the first script says so.
            return 0;
        }
    }

    /** Our scripts have no semicolon inside a statement. */
    private static void run(Connection connection, String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : END_OF_STATEMENT
                    .splitAsStream(COMMENT.matcher(script).replaceAll(""))
                    .toList()) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        }
    }
}
