package dev.tidemark.storage.jdbc;

import static dev.tidemark.storage.jdbc.JdbcMessageStoreFixture.sql;

import dev.tidemark.storage.tck.HostTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Savepoint;

/** A transaction of the host's own, into which messages are stored together with its rows. */
final class JdbcHostTransaction implements HostTransaction<Connection> {

    private final Connection connection;
    private final boolean autoCommitBefore;
    private final int isolation;

    JdbcHostTransaction(Connection connection) {
        this.connection = connection;
        this.autoCommitBefore = sql(connection::getAutoCommit);
        this.isolation = sql(connection::getTransactionIsolation);
        sql(() -> {
            connection.setAutoCommit(false);
            return connection;
        });
    }

    @Override
    public Connection handle() {
        return connection;
    }

    @Override
    public void write(String row) {
        sql(() -> {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO " + ContractDatabase.HOST_TABLE + " (id) VALUES (?)")) {
                insert.setString(1, row);
                return insert.executeUpdate();
            }
        });
    }

    @Override
    public Runnable savepoint() {
        Savepoint savepoint = sql(connection::setSavepoint);
        return () -> sql(() -> {
            connection.rollback(savepoint);
            return savepoint;
        });
    }

    @Override
    public boolean isAsItWas() {
        return sql(() -> !connection.isClosed()
                && !connection.getAutoCommit()
                && connection.getTransactionIsolation() == isolation);
    }

    @Override
    public void commit() {
        sql(() -> {
            connection.commit();
            return connection;
        });
    }

    @Override
    public void close() {
        sql(() -> {
            connection.rollback();
            connection.setAutoCommit(autoCommitBefore);
            connection.close();
            return connection;
        });
    }
}
