package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source with its options. The dialect is detected when it is first needed, so that a host can be put together while
 * its database is down.
 */
final class Database {

    private final DataSource dataSource;
    private final JdbcOptions options;
    private volatile @Nullable Connections connections;

    Database(DataSource dataSource, JdbcOptions options) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.options = Objects.requireNonNull(options, "options");
    }

    JdbcOptions options() {
        return options;
    }

    Connections connections() {
        Connections known = connections;
        if (known == null) {
            // Two threads may both detect it, and find the same.
            known = new Connections(dataSource, options.dialect() != null ? options.dialect() : detect());
            connections = known;
        }
        return known;
    }

    Dialect dialect() {
        return connections().dialect();
    }

    private Dialect detect() {
        try (Connection connection = dataSource.getConnection()) {
            return Dialect.detect(connection);
        } catch (SQLException e) {
            throw SqlFaults.noConnection(e);
        }
    }

    /** Checks that commits are durable, unless that is waived (P1). */
    void verifyDurability() {
        if (options.isWaived(JdbcOptions.Waiver.DURABILITY)) {
            return;
        }
        connections().query(connection -> {
            String gap = dialect().durabilityGap(connection);
            if (gap != null) {
                throw new StorageException(
                        StorageException.Kind.UNSUPPORTED,
                        "commits of this " + dialect().name() + " are not durable: " + gap
                                + ". Change the setting, or do without the promise by"
                                + " JdbcOptions.waiving(Waiver.DURABILITY)",
                        null);
            }
            return dialect();
        });
    }

    /** Checks that Tidemark's own tables are of the version this code knows. */
    void verifySchema() {
        connections().query(connection -> {
            Schema.of(dialect(), options.prefix()).verify(connection);
            return dialect();
        });
    }
}
