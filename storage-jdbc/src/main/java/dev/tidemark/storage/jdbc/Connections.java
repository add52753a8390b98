package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.append.AppendFault;
import dev.tidemark.storage.append.Backoff;
import dev.tidemark.storage.append.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Takes connections from the host's data source, runs work on them, and gives them back as they were found. Its own
 * transactions run READ COMMITTED whatever the pool's default is: the look-up after the lock must see what was committed
 * before the lock was taken (H3).
 */
final class Connections implements Transactions<Connection> {

    private static final int MAX_FAILURES = 8;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final Backoff backoff = Backoff.jittered();

    Connections(DataSource dataSource, Dialect dialect) {
        this.dataSource = dataSource;
        this.dialect = dialect;
    }

    @Override
    public <R> R attempt(Function<Connection, R> work) {
        return onConnection(connection -> {
            boolean autoCommit = connection.getAutoCommit();
            Restoring isolation = Restoring.NOTHING;
            try {
                connection.setAutoCommit(false);
                isolation = dialect.beginReadCommitted(connection);
                R result = applyOrRollBack(work, connection);
                commit(connection);
                return result;
            } finally {
                restore(isolation);
                restore(() -> connection.setAutoCommit(autoCommit));
            }
        });
    }

    @Override
    public <R> R read(Function<Connection, R> work) {
        return query(work::apply);
    }

    @Override
    public void nested(Connection connection, Runnable work) {
        new Joined(connection).attempt(same -> {
            work.run();
            return same;
        });
    }

    @Override
    public boolean isRepeatable() {
        return true;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Runs statements that only read, again when the database has ended them for another transaction's sake (H35). */
    <R> R query(SqlFunction<R> work) {
        for (int failures = 1; ; failures++) {
            try {
                return queryOnce(work);
            } catch (AppendFault fault) {
                if (fault.kind() != AppendFault.Kind.TRY_AGAIN || failures == MAX_FAILURES) {
                    throw new StorageException(StorageException.Kind.UNAVAILABLE, fault.reason(), fault);
                }
                backoff.pause(failures);
            }
        }
    }

    private <R> R queryOnce(SqlFunction<R> work) {
        return onConnection(connection -> {
            try {
                return work.apply(connection);
            } catch (SQLException e) {
                throw SqlFaults.inTransaction(e);
            } finally {
                if (!connection.getAutoCommit()) {
                    // Ends the transaction the reads have opened, and with it the snapshot they hold.
                    restore(connection::rollback);
                }
            }
        });
    }

    /** Runs one statement that commits by itself. */
    <R> R statement(SqlFunction<R> work) {
        return onConnection(connection -> {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            try {
                return work.apply(connection);
            } catch (SQLException e) {
                throw SqlFaults.atCommit(e);
            } finally {
                if (!autoCommit) {
                    restore(() -> connection.setAutoCommit(false));
                }
            }
        });
    }

    /** Runs several statements as one transaction that is not an append. */
    <R> R transaction(SqlFunction<R> work) {
        try {
            return attempt(connection -> {
                try {
                    return work.apply(connection);
                } catch (SQLException e) {
                    throw SqlFaults.inTransaction(e);
                }
            });
        } catch (AppendFault fault) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, fault.reason(), fault);
        }
    }

    private <R> R onConnection(SqlFunction<R> work) {
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (SQLException e) {
            throw SqlFaults.noConnection(e);
        }
        try {
            return work.apply(connection);
        } catch (SQLException e) {
            // Thrown outside of the work itself, so before it or in reading the connection's state.
            throw SqlFaults.inTransaction(e);
        } finally {
            restore(connection::close);
        }
    }

    private static <R> R applyOrRollBack(Function<Connection, R> work, Connection connection) {
        boolean isDone = false;
        try {
            R result = work.apply(connection);
            isDone = true;
            return result;
        } finally {
            if (!isDone) {
                restore(connection::rollback);
            }
        }
    }

    private static void commit(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            restore(connection::rollback);
            throw SqlFaults.atCommit(e);
        }
    }

    /**
     * Brings a connection back to how it was found. When that fails the connection is broken; the work's own outcome is
     * known by then and must not be replaced by that news, which the pool will notice for itself.
     */
    static void restore(Restoring step) {
        try {
            step.run();
        } catch (SQLException e) {
            // Said above.
        }
    }

    /** A step back to how a connection was found. */
    @FunctionalInterface
    interface Restoring {

        /** There is nothing to restore. */
        Restoring NOTHING = () -> {};

        void run() throws SQLException;
    }

    /** Attempts under savepoints of a transaction that is not ours: nothing but the savepoint is ever undone. */
    static final class Joined implements Transactions<Connection> {

        private final Connection connection;

        Joined(Connection connection) {
            this.connection = connection;
        }

        @Override
        public <R> R attempt(Function<Connection, R> work) {
            try {
                Savepoint savepoint = connection.setSavepoint();
                R result = applyOrUndo(work, savepoint);
                connection.releaseSavepoint(savepoint);
                return result;
            } catch (SQLException e) {
                throw SqlFaults.inTransaction(e);
            }
        }

        private <R> R applyOrUndo(Function<Connection, R> work, Savepoint savepoint) {
            try {
                return work.apply(connection);
            } catch (RuntimeException e) {
                try {
                    connection.rollback(savepoint);
                } catch (SQLException notUndone) {
                    throw isEndOfTransaction(e) ? e : notUndone(notUndone, e);
                }
                throw e;
            }
        }

        /** Whoever gets this fault rolls back altogether, if the database has not done so. */
        private static boolean isEndOfTransaction(RuntimeException e) {
            return e instanceof StorageException
                    || (e instanceof AppendFault fault && fault.kind() == AppendFault.Kind.TRY_AGAIN);
        }

        /** Whatever the work had to say: what it wrote may still be there. */
        private static StorageException notUndone(SQLException rollback, RuntimeException work) {
            StorageException fault = new StorageException(
                    StorageException.Kind.UNAVAILABLE,
                    "the transaction cannot be rolled back to its savepoint; roll all of it back",
                    rollback);
            fault.addSuppressed(work);
            return fault;
        }

        @Override
        public <R> R read(Function<Connection, R> work) {
            return work.apply(connection);
        }

        @Override
        public void nested(Connection same, Runnable work) {
            attempt(unused -> {
                work.run();
                return unused;
            });
        }

        @Override
        public boolean isRepeatable() {
            return false;
        }
    }
}
