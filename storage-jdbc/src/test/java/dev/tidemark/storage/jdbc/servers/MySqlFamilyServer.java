package dev.tidemark.storage.jdbc.servers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What MySQL and MariaDB have in common: how a database is created and dropped, whoever started the server. */
final class MySqlFamilyServer implements Server {

    private static final int NO_SUCH_THREAD = 1094;

    private final Access maintenance;
    private final Runnable stop;

    MySqlFamilyServer(Access maintenance, Runnable stop) {
        this.maintenance = maintenance;
        this.stop = stop;
    }

    /** A server that runs already, for whose end somebody else cares. */
    static Server at(Access maintenance) {
        return new MySqlFamilyServer(maintenance, () -> {});
    }

    @Override
    public Access create(String database) {
        try (Connection connection = maintenance.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create " + database + " at " + maintenance, e);
        }
        return maintenance.withDatabase(database);
    }

    @Override
    public void drop(String database) {
        try (Connection connection = maintenance.connect();
                Statement statement = connection.createStatement()) {
            // DROP waits for the metadata locks of open transactions, by default for a day or a year
            for (long session : sessions(connection, database)) {
                kill(statement, session);
            }
            statement.execute("SET SESSION lock_wait_timeout = 30");
            statement.execute("DROP DATABASE IF EXISTS " + database);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot drop " + database + " at " + maintenance, e);
        }
    }

    @Override
    public void stop() {
        stop.run();
    }

    private static List<Long> sessions(Connection connection, String database) throws SQLException {
        String sql = "SELECT id FROM information_schema.processlist WHERE db = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, database);
            try (ResultSet rows = statement.executeQuery()) {
                List<Long> sessions = new ArrayList<>();
                while (rows.next()) {
                    sessions.add(rows.getLong(1));
                }
                return sessions;
            }
        }
    }

    private static void kill(Statement statement, long session) throws SQLException {
        try {
            statement.execute("KILL " + session);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) { // it ended by itself
                throw e;
            }
        }
    }
}
