package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.tck.StoreFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/** A store for one test, with what can happen to its connections; none may be kept, nor given back otherwise than found. */
final class CursorOrDirectoryFixture<S> implements StoreFixture<S> {

    private final JdbcOptions options;
    private final BiFunction<DataSource, JdbcOptions, S> stores;
    private final SqlScript script;
    private final FaultyDataSource faulty;
    private final S store;

    /**
     * Opens a store.
     *
     * @param inserts the part of a statement's text by which it is known to write
     */
    CursorOrDirectoryFixture(
            DataSource dataSource, JdbcOptions options, String inserts, BiFunction<DataSource, JdbcOptions, S> stores) {
        this.options = options;
        this.stores = stores;
        this.script = new SqlScript(dialect(dataSource));
        this.faulty = new FaultyDataSource(dataSource, script, inserts);
        this.store = another();
    }

    @Override
    public S store() {
        return store;
    }

    @Override
    public S another() {
        return stores.apply(faulty.asDataSource(), options);
    }

    SqlScript script() {
        return script;
    }

    @Override
    public void close() {
        if (!faulty.complaints().isEmpty()) {
            throw new AssertionError(String.join("; ", faulty.complaints()));
        }
    }

    private static Dialect dialect(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return Dialect.detect(connection);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
