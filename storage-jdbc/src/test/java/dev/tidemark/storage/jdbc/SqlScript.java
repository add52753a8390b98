package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.tck.Hold;
import dev.tidemark.storage.tck.Pause;
import dev.tidemark.storage.tck.RetryableFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What is to happen to the statements and commits of the connections of one {@link FaultyDataSource}. */
final class SqlScript {

    /** What the next commit that has inserted messages does. */
    enum Commit {
        DIES_BEFORE,
        DIES_AFTER,
        PAUSES
    }

    private final Dialect dialect;
    private final AtomicReference<@Nullable Commit> nextCommit = new AtomicReference<>();
    private volatile CountDownLatch reached = new CountDownLatch(1);
    private volatile CountDownLatch released = new CountDownLatch(1);
    private @Nullable Failures failures;

    private int cancelAfter = -1;

    SqlScript(Dialect dialect) {
        this.dialect = dialect;
    }

    void atNextCommit(Commit commit) {
        nextCommit.set(commit);
    }

    Pause pauseNextCommit() {
        reached = new CountDownLatch(1);
        released = new CountDownLatch(1);
        nextCommit.set(Commit.PAUSES);
        return new Pause() {
            @Override
            public void awaitReached() throws InterruptedException {
                reached.await();
            }

            @Override
            public void release() {
                nextCommit.compareAndSet(Commit.PAUSES, null);
                released.countDown();
            }
        };
    }

    boolean takesCommit(Commit commit) {
        return nextCommit.compareAndSet(commit, null);
    }

    void pause() throws InterruptedException {
        reached.countDown();
        released.await();
    }

    synchronized Hold failStatements(int skip, int count, RetryableFault fault) {
        failures = new Failures(skip, count, fault);
        return () -> {
            synchronized (this) {
                failures = null;
            }
        };
    }

    /** Lets one statement fail after so many, alone. */
    synchronized Hold cancelStatement(int skip) {
        cancelAfter = skip;
        return () -> {
            synchronized (this) {
                cancelAfter = -1;
            }
        };
    }

    private synchronized boolean isCancelled() {
        return cancelAfter >= 0 && cancelAfter-- == 0;
    }

    void beforeStatement(Connection connection) throws SQLException {
        if (isCancelled()) {
            if (dialect.family() == Dialect.Family.POSTGRESQL) {
                endTransaction(connection);
            }
            throw new SQLException("cancelled", "57014");
        }
        RetryableFault fault = nextFault();
        if (fault != null) {
            endTransaction(connection);
            throw fault == RetryableFault.SERIALIZATION_FAILURE
                    ? new SQLTransactionRollbackException("could not serialize access", "40001")
                    : new SQLTransactionRollbackException(
                            "deadlock detected",
                            dialect.isMySqlFamily() ? "40001" : "40P01",
                            dialect.isMySqlFamily() ? 1213 : 0);
        }
    }

    private synchronized @Nullable RetryableFault nextFault() {
        return failures == null ? null : failures.next();
    }

    /** PostgreSQL refuses everything from here to a rollback; the others have rolled back already. */
    private void endTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            return;
        }
        if (dialect.family() != Dialect.Family.POSTGRESQL) {
            connection.rollback();
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 / 0");
        } catch (SQLException e) {
            // That was the purpose.
        }
    }

    private static final class Failures {

        private int skip;
        private int count;
        private final RetryableFault fault;

        Failures(int skip, int count, RetryableFault fault) {
            this.skip = skip;
            this.count = count;
            this.fault = fault;
        }

        @Nullable RetryableFault next() {
            if (skip > 0) {
                skip--;
                return null;
            }
            return count-- > 0 ? fault : null;
        }
    }
}
