package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Lets those who write many rows of a table on H2 take turns, by the lock of a row that is always there. H2 does not wait for
 * a key that another transaction has inserted and not committed: it tries again without a pause until its lock timeout is
 * over, and so keeps the other one from the processor.
 */
final class H2Turns {

    /** The lock is not given in the order of asking; H2's own limit of two seconds is within reach of bad luck. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    private final Dialect dialect;
    private final String lock;

    H2Turns(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.lock = "SELECT version FROM " + prefix + "schema " + dialect.forUpdate(LONGEST_WAIT);
    }

    /** Waits for the turn of this transaction, which lasts until it ends. */
    void take(Connection connection) throws SQLException {
        try (PreparedStatement statement = dialect.prepareQuery(connection, lock)) {
            statement.executeQuery().close();
        }
    }
}
