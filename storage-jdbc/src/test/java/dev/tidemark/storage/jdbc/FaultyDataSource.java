package dev.tidemark.storage.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections do what {@link SqlScript} says, and that notes which of them were not given back, or not as
 * they were found.
 */
final class FaultyDataSource {

    private final DataSource real;
    private final SqlScript script;
    private final String insertsMessages;
    private final Set<Handler> open = ConcurrentHashMap.newKeySet();
    private final List<String> changed = new CopyOnWriteArrayList<>();

    /**
     * Wraps a data source.
     *
     * @param insertsMessages the part of a statement's text by which it is known to insert messages
     */
    FaultyDataSource(DataSource real, SqlScript script, String insertsMessages) {
        this.real = real;
        this.script = script;
        this.insertsMessages = insertsMessages;
    }

    DataSource asDataSource() {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return connection();
            }
            return invoke(real, method, arguments);
        });
    }

    Connection connection() throws SQLException {
        Handler handler = new Handler(real.getConnection());
        open.add(handler);
        return handler.proxy();
    }

    /** What was borrowed and not given back as it was. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>(changed);
        open.forEach(handler -> complaints.add("not given back: " + handler.borrowed));
        return complaints;
    }

    private static Object invoke(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return (T) Proxy.newProxyInstance(FaultyDataSource.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    /** One borrowed connection. */
    private final class Handler {

        private final Connection connection;

        /** Says who borrowed it. */
        private final String borrowed = Arrays.stream(Thread.currentThread().getStackTrace())
                .map(StackTraceElement::toString)
                .filter(frame -> frame.startsWith("dev.tidemark"))
                .skip(3)
                .limit(8)
                .collect(Collectors.joining("\n  "));

        private final boolean autoCommit;
        private final int isolation;
        private boolean hasInserted;
        private boolean isDead;

        Handler(Connection connection) throws SQLException {
            this.connection = connection;
            this.autoCommit = connection.getAutoCommit();
            this.isolation = connection.getTransactionIsolation();
        }

        Connection proxy() {
            return FaultyDataSource.proxy(Connection.class, (proxy, method, arguments) -> call(method, arguments));
        }

        private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.getName().equals("close")) {
                close();
                return null;
            }
            checkAlive();
            return switch (method.getName()) {
                case "commit" ->
                    commit(() -> {
                        script.beforeStatement(connection);
                        connection.commit();
                        return null;
                    });
                case "prepareStatement" ->
                    statement(PreparedStatement.class, invoke(connection, method, arguments), (String) arguments[0]);
                case "createStatement" -> statement(Statement.class, invoke(connection, method, arguments), null);
                default -> invoke(connection, method, arguments);
            };
        }

        private <S extends Statement> S statement(Class<S> type, Object statement, @Nullable String prepared) {
            return FaultyDataSource.proxy(type, (proxy, method, arguments) -> {
                if (!method.getName().startsWith("execute")) {
                    return invoke(statement, method, arguments);
                }
                checkAlive();
                String sql = prepared != null || arguments == null ? String.valueOf(prepared) : (String) arguments[0];
                hasInserted |= sql.contains(insertsMessages);
                Work execute = () -> {
                    script.beforeStatement(connection);
                    return invoke(statement, method, arguments);
                };
                return connection.getAutoCommit() ? commit(execute) : execute.run();
            });
        }

        /** Commits, or runs a statement that is a commit too. */
        private @Nullable Object commit(Work work) throws Throwable {
            boolean counts = hasInserted;
            hasInserted = false;
            if (!counts) {
                return work.run();
            }
            if (script.takesCommit(SqlScript.Commit.DIES_BEFORE)) {
                throw die();
            }
            if (!connection.getAutoCommit()) {
                if (script.takesCommit(SqlScript.Commit.PAUSES)) {
                    script.pause();
                }
                return dieAfter(work.run());
            }
            connection.setAutoCommit(false);
            try {
                // A statement that fails is no commit: the next one is.
                Object result = work.run();
                if (script.takesCommit(SqlScript.Commit.PAUSES)) {
                    script.pause();
                }
                connection.commit();
                return dieAfter(result);
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }

        private @Nullable Object dieAfter(@Nullable Object result) throws SQLException {
            if (script.takesCommit(SqlScript.Commit.DIES_AFTER)) {
                throw die();
            }
            return result;
        }

        private SQLException die() throws SQLException {
            isDead = true;
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return new SQLNonTransientConnectionException("the connection died at COMMIT", "08006");
        }

        private void checkAlive() throws SQLException {
            if (isDead) {
                throw new SQLNonTransientConnectionException("the connection is closed", "08003");
            }
        }

        private void close() throws SQLException {
            open.remove(this);
            try (connection) {
                if (connection.isClosed()) {
                    return;
                }
                if (isDead) {
                    connection.setAutoCommit(autoCommit);
                } else if (connection.getAutoCommit() != autoCommit
                        || connection.getTransactionIsolation() != isolation) {
                    changed.add("given back with autocommit " + connection.getAutoCommit() + ", isolation "
                            + connection.getTransactionIsolation());
                }
            }
        }
    }

    private interface Work {
        @Nullable Object run() throws Throwable;
    }
}
