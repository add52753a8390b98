package dev.tidemark.storage.jdbc.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A database that was created empty for one test, or one test class, and is dropped by {@link #close()}.
 *
 * <p>It has the character set, collation and isolation level that the server gives when nobody asks, since that is what
 * a host of the library is likely to have. Thread-safe.
 */
public final class FreshDatabase implements AutoCloseable {

    /**
     * Connections of {@link #dataSource()}: enough for a test with several writers, few enough for many pools at once.
     */
    public static final int DEFAULT_POOL_SIZE = 16;

    private final Server server;
    private final String name;
    private final Access access;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private HikariDataSource defaultPool;
    private boolean closed;

    FreshDatabase(Server server, String name) {
        this.server = server;
        this.name = name;
        this.access = server.create(name);
    }

    /**
     * The JDBC URL, complete: with {@link #user()} and {@link #password()} another process reaches the database too.
     */
    public String url() {
        return access.url();
    }

    /** The user to connect as; empty if the URL alone is enough. */
    public String user() {
        return access.user();
    }

    /** The user's password; empty for none. */
    public String password() {
        return access.password();
    }

    /** The shared pool of this database, of at most {@value #DEFAULT_POOL_SIZE} connections: the same at every call. */
    public synchronized HikariDataSource dataSource() {
        if (defaultPool == null) {
            defaultPool = dataSource(DEFAULT_POOL_SIZE);
        }
        return defaultPool;
    }

    /** A further pool of at most so many connections, a new one at every call. It is closed with the database. */
    public HikariDataSource dataSource(int poolSize) {
        return dataSource(config -> config.setMaximumPoolSize(poolSize));
    }

    /**
     * A further pool, for tests that need something else than the defaults: auto-commit off, say. It is closed with the
     * database.
     *
     * @param settings changes the configuration before the pool starts
     */
    public synchronized HikariDataSource dataSource(Consumer<? super HikariConfig> settings) {
        requireOpen();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url());
        if (!user().isEmpty()) {
            config.setUsername(user());
            config.setPassword(password());
        }
        config.setPoolName(name);
        config.setMaximumPoolSize(DEFAULT_POOL_SIZE);
        config.setMinimumIdle(1); // a pool of sixteen that a test uses one of should open one
        settings.accept(config);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    /**
     * A data source without a pool, which opens a connection at every call: what a pool repairs on return, it shows.
     * Whoever takes a connection closes it.
     */
    public DataSource unpooled() {
        return new UnpooledDataSource(access);
    }

    /** Closes the pools and drops the database with all its data. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        pools.forEach(HikariDataSource::close);
        server.drop(name);
    }

    @Override
    public String toString() {
        return url();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("dropped already: " + this);
        }
    }
}
