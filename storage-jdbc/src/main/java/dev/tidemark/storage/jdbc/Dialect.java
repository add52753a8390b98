package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How one database differs from the others, as capabilities. A store detects it from its first connection unless {@link
 * JdbcOptions#withDialect} names one. Immutable.
 */
public final class Dialect {

    private static final Dialect POSTGRESQL = new Dialect(Family.POSTGRESQL, "postgresql", true);
    private static final Dialect MYSQL = new Dialect(Family.MYSQL, "mysql", false);
    private static final Dialect MARIADB = new Dialect(Family.MARIADB, "mariadb", false);
    private static final Dialect H2 = new Dialect(Family.H2, "h2", false);

    /** What the SQL is written for. */
    enum Family {
        POSTGRESQL,
        MYSQL,
        MARIADB,
        H2
    }

    private static final AtomicLong QUERIES = new AtomicLong();

    private final Family family;
    private final String name;
    private final boolean appendsInOneStatement;

    private Dialect(Family family, String name, boolean appendsInOneStatement) {
        this.family = family;
        this.name = name;
        this.appendsInOneStatement = appendsInOneStatement;
    }

    /** PostgreSQL 12 or newer. */
    public static Dialect postgresql() {
        return POSTGRESQL;
    }

    /** MySQL 8.0.17 or newer. */
    public static Dialect mysql() {
        return MYSQL;
    }

    /** MariaDB 10.6 or newer. */
    public static Dialect mariadb() {
        return MARIADB;
    }

    /** H2 2.2.220 or newer. */
    public static Dialect h2() {
        return H2;
    }

    /**
     * Detects the dialect of a connection from what the server says it is, not from the driver: MariaDB is also reached
     * through MySQL's driver.
     *
     * @throws StorageException {@link StorageException.Kind#UNSUPPORTED} when the database is none of the supported ones;
     *     {@link StorageException.Kind#UNAVAILABLE} when it cannot be asked
     */
    public static Dialect detect(Connection connection) {
        try {
            DatabaseMetaData metaData = connection.getMetaData();
            String product = metaData.getDatabaseProductName();
            String version = metaData.getDatabaseProductVersion();
            String both = (product + " " + version).toLowerCase(Locale.ROOT);
            if (both.contains("mariadb")) {
                return MARIADB;
            } else if (both.startsWith("mysql")) {
                return MYSQL;
            } else if (both.startsWith("postgresql")) {
                return POSTGRESQL;
            } else if (both.startsWith("h2")) {
                return H2;
            }
            throw new StorageException(
                    StorageException.Kind.UNSUPPORTED,
                    "expected PostgreSQL, MySQL, MariaDB or H2, or a dialect named in the options; the database says it is "
                            + product + " " + version,
                    null);
        } catch (SQLException e) {
            throw SqlFaults.outsideAppend(e);
        }
    }

    /** The name of the database, which is also the folder of its schema scripts. */
    public String name() {
        return name;
    }

    /** Whether a batch of fresh messages is locked, numbered and inserted by one statement in one round trip. */
    public boolean appendsInOneStatement() {
        return appendsInOneStatement;
    }

    /**
     * This dialect without the one-statement append, for an engine that speaks the dialect but does not run the statement
     * as the original does: every append then takes the way under locks, in several round trips.
     */
    public Dialect withoutOneStatementAppend() {
        return new Dialect(family, name, false);
    }

    Family family() {
        return family;
    }

    boolean isMySqlFamily() {
        return family == Family.MYSQL || family == Family.MARIADB;
    }

    MessageLayout messageLayout(String prefix) {
        return switch (family) {
            case POSTGRESQL -> new PostgresMessageLayout(this, prefix);
            case MYSQL, MARIADB -> new MySqlMessageLayout(this, prefix);
            case H2 -> new H2MessageLayout(this, prefix);
        };
    }

    /**
     * Makes the transaction that has just been opened READ COMMITTED.
     *
     * @return takes it back, where it outlives the transaction
     */
    Connections.Restoring beginReadCommitted(Connection connection) throws SQLException {
        if (family == Family.H2) {
            int before = connection.getTransactionIsolation();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            return () -> connection.setTransactionIsolation(before);
        }
        // For this transaction only, and one round trip where asking, setting and restoring would be three.
        execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
        return Connections.Restoring.NOTHING;
    }

    /**
     * Prepares a statement that reads. H2 gives out the result of an earlier execution when it believes that nothing has
     * changed since, and believes so for a moment too long: one connection reads what was before a commit that another has
     * read already. It finds results by the text of their statement, so here no two have the same.
     */
    PreparedStatement prepareQuery(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(family == Family.H2 ? sql + " -- " + QUERIES.incrementAndGet() : sql);
    }

    /** Binds an id. On H2 the columns are binary, and text is not compared with them. */
    void setId(PreparedStatement statement, int index, String id) throws SQLException {
        if (family == Family.H2) {
            statement.setBytes(index, id.getBytes(StandardCharsets.UTF_8));
        } else {
            statement.setString(index, id);
        }
    }

    /** The clause that locks the rows of a select for writing: without waiting, or up to what {@link #limitWait} says. */
    String forUpdate(Duration wait) {
        // On PostgreSQL the weaker lock keeps writers out all the same, and lets foreign keys of the host's refer to
        // the row.
        String forUpdate = family == Family.POSTGRESQL ? "FOR NO KEY UPDATE" : "FOR UPDATE";
        if (wait.isZero()) {
            return forUpdate + " SKIP LOCKED";
        }
        return switch (family) {
            case MARIADB, H2 -> forUpdate + " WAIT " + seconds(wait);
            case POSTGRESQL, MYSQL -> forUpdate;
        };
    }

    /**
     * Limits how long the next {@link #forUpdate} waits, where its clause cannot say so.
     *
     * @return takes it back, where it outlives the transaction
     */
    Connections.Restoring limitWait(Connection connection, Duration wait) throws SQLException {
        if (wait.isZero()) {
            return Connections.Restoring.NOTHING;
        } else if (family == Family.POSTGRESQL) {
            execute(connection, "SET LOCAL lock_timeout = " + Math.max(1, wait.toMillis()));
            return () -> execute(connection, "SET LOCAL lock_timeout = DEFAULT");
        } else if (family == Family.MYSQL) {
            return limitInnoDbWait(connection, wait);
        }
        return Connections.Restoring.NOTHING;
    }

    /**
     * Limits how long inserts wait for keys that another transaction has inserted and not committed.
     *
     * @return takes it back, where it outlives the transaction
     */
    Connections.Restoring limitInsertWait(Connection connection, Duration wait) throws SQLException {
        return switch (family) {
            case POSTGRESQL, MYSQL -> limitWait(connection, wait);
            case MARIADB -> limitInnoDbWait(connection, wait);
            case H2 -> Connections.Restoring.NOTHING; // a second, or what the URL says
        };
    }

    private static Connections.Restoring limitInnoDbWait(Connection connection, Duration wait) throws SQLException {
        long before = queryLong(connection, "SELECT @@innodb_lock_wait_timeout");
        execute(connection, "SET innodb_lock_wait_timeout = " + seconds(wait));
        return () -> execute(connection, "SET innodb_lock_wait_timeout = " + before);
    }

    /**
     * Says why commits of this database are not durable.
     *
     * @return the setting at fault, as the end of a sentence, or null when commits are durable
     */
    @Nullable String durabilityGap(Connection connection) throws SQLException {
        List<DurabilitySetting> settings = switch (family) {
            case POSTGRESQL -> DurabilitySetting.POSTGRESQL;
            case MYSQL, MARIADB -> DurabilitySetting.MYSQL;
            case H2 -> DurabilitySetting.H2;
        };
        for (DurabilitySetting setting : settings) {
            String gap = setting.gap(connection);
            if (gap != null) {
                return gap;
            }
        }
        return null;
    }

    private static long seconds(Duration wait) {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long queryLong(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public String toString() {
        return name + (appendsInOneStatement ? ", append in one statement" : ", append under locks");
    }
}
