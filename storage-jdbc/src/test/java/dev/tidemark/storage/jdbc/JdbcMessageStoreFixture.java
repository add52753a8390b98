package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Draft;
import dev.tidemark.storage.tck.CommitFault;
import dev.tidemark.storage.tck.Hold;
import dev.tidemark.storage.tck.HostTransaction;
import dev.tidemark.storage.tck.Pause;
import dev.tidemark.storage.tck.RetryableFault;
import dev.tidemark.storage.tck.TransactionalMessageStoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A message store on a {@link ContractDatabase}, with everything that can happen to it. */
final class JdbcMessageStoreFixture implements TransactionalMessageStoreFixture<Connection> {

    private static final AtomicInteger BACKUPS = new AtomicInteger();

    private final ContractDatabase database;
    private final SqlScript script;
    private final FaultyDataSource faulty;
    private final JdbcMessageStore store;
    private @Nullable Connection withoutTransaction;

    JdbcMessageStoreFixture(ContractDatabase database) {
        this.database = database;
        this.script = new SqlScript(database.dialect());
        this.faulty = new FaultyDataSource(
                database.dataSource(), script, database.tables().insertsMessages());
        this.store = database.store(faulty.asDataSource(), Clock.systemUTC());
    }

    @Override
    public JdbcMessageStore store() {
        return store;
    }

    @Override
    public JdbcMessageStore another(Clock clock) {
        return database.store(faulty.asDataSource(), clock);
    }

    DataSource dataSource() {
        return faulty.asDataSource();
    }

    @Override
    public Hold holdLocks(Collection<String> conversations) {
        MessageTables tables = database.tables();
        Connection holder = sql(() -> database.dataSource().getConnection());
        boolean autoCommit = sql(holder::getAutoCommit);
        sql(() -> {
            holder.setAutoCommit(false);
            String list = String.join(", ", Collections.nCopies(conversations.size(), "?"));
            try (PreparedStatement lock = holder.prepareStatement("SELECT " + tables.headSeq() + " FROM "
                    + tables.conversations() + " WHERE " + tables.conversationId() + " IN (" + list + ") FOR UPDATE")) {
                int index = 1;
                for (String conversation : conversations) {
                    database.dialect().setId(lock, index++, conversation);
                }
                int locked = 0;
                try (ResultSet rows = lock.executeQuery()) {
                    while (rows.next()) {
                        locked++;
                    }
                }
                if (locked != conversations.size()) {
                    throw new AssertionError("locked " + locked + " of " + conversations);
                }
            }
            return holder;
        });
        return () -> sql(() -> {
            if (!holder.isClosed()) {
                holder.rollback();
                holder.setAutoCommit(autoCommit);
                holder.close();
            }
            return holder;
        });
    }

    @Override
    public void deleteHead(String conversation) {
        tamper("DELETE FROM " + database.tables().conversations(), conversation);
    }

    @Override
    public void setHead(String conversation, long seq) {
        tamper(
                "UPDATE " + database.tables().conversations() + " SET "
                        + database.tables().headSeq() + " = " + seq,
                conversation);
    }

    private void tamper(String change, String conversation) {
        sql(() -> {
            try (Connection connection = database.dataSource().getConnection();
                    PreparedStatement statement = connection.prepareStatement(
                            change + " WHERE " + database.tables().conversationId() + " = ?")) {
                database.dialect().setId(statement, 1, conversation);
                int changed = statement.executeUpdate();
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
                if (changed != 1) {
                    throw new AssertionError("no such conversation: " + conversation);
                }
                return changed;
            }
        });
    }

    @Override
    public Runnable backup() {
        String suffix = "_backup" + BACKUPS.incrementAndGet();
        List<String> tables = new ArrayList<>(database.tables().messages());
        tables.add(database.tables().conversations());
        for (String table : tables) {
            database.execute("CREATE TABLE " + table + suffix + " AS SELECT * FROM " + table);
        }
        return () -> {
            List<String> restore = new ArrayList<>();
            for (String table : tables) {
                restore.add("DELETE FROM " + table);
                restore.add("INSERT INTO " + table + " SELECT * FROM " + table + suffix);
            }
            database.execute(restore.toArray(String[]::new));
        };
    }

    @Override
    public Draft poison(String conversation, String sender, String messageId) {
        return new Draft(conversation, sender, messageId, Draft.DEFAULT_KIND, true, ContractDatabase.POISON);
    }

    @Override
    public void failNextCommit(CommitFault fault) {
        script.atNextCommit(fault == CommitFault.BEFORE ? SqlScript.Commit.DIES_BEFORE : SqlScript.Commit.DIES_AFTER);
    }

    @Override
    public Pause pauseNextCommit() {
        return script.pauseNextCommit();
    }

    @Override
    public Hold failStatements(int skip, int count, RetryableFault fault) {
        return script.failStatements(skip, count, fault);
    }

    @Override
    public Hold cancelStatement(int skip) {
        return script.cancelStatement(skip);
    }

    @Override
    public HostTransaction<Connection> begin() {
        return new JdbcHostTransaction(sql(faulty::connection));
    }

    @Override
    public Connection withoutTransaction() {
        Connection connection = sql(() -> database.dataSource().getConnection());
        withoutTransaction = connection;
        sql(() -> {
            connection.setAutoCommit(true);
            return connection;
        });
        return connection;
    }

    @Override
    public boolean hasHostRow(String row) {
        return sql(() -> {
            try (Connection connection = database.dataSource().getConnection();
                    PreparedStatement select = connection.prepareStatement(
                            "SELECT COUNT(*) FROM " + ContractDatabase.HOST_TABLE + " WHERE id = ?")) {
                select.setString(1, row);
                try (ResultSet rows = select.executeQuery()) {
                    rows.next();
                    boolean isThere = rows.getInt(1) == 1;
                    if (!connection.getAutoCommit()) {
                        connection.rollback();
                    }
                    return isThere;
                }
            }
        });
    }

    @Override
    public void close() {
        Connection toClose = withoutTransaction;
        if (toClose != null) {
            sql(() -> {
                toClose.close();
                return toClose;
            });
        }
        if (!faulty.complaints().isEmpty()) {
            throw new AssertionError(String.join("; ", faulty.complaints()));
        }
    }

    static <R> R sql(Sql<R> work) {
        try {
            return work.run();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Work on a database that is expected to succeed. */
    interface Sql<R> {
        R run() throws SQLException;
    }
}
