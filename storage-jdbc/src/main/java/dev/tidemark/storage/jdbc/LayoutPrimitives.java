package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.append.AppendPrimitives;
import dev.tidemark.storage.append.FreshDrafts;
import dev.tidemark.storage.append.Locking;
import dev.tidemark.storage.append.NumberedDraft;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The append algorithm's primitives on the statements of a layout. */
final class LayoutPrimitives implements AppendPrimitives<Connection> {

    private final MessageLayout layout;
    private final Connections connections;

    LayoutPrimitives(MessageLayout layout, Connections connections) {
        this.layout = layout;
        this.connections = connections;
    }

    @Override
    public Map<String, Head> lockHeads(Connection connection, List<String> conversations, Duration wait) {
        return run(() -> layout.lockHeads(connection, conversations, wait));
    }

    @Override
    public Map<MessageKey, Receipt> find(Connection connection, Collection<MessageKey> keys) {
        return run(() -> layout.find(connection, keys));
    }

    @Override
    public void insert(Connection connection, List<NumberedDraft> rows) {
        run(() -> {
            layout.insert(connection, rows);
            return rows;
        });
    }

    @Override
    public void moveHeads(Connection connection, Map<String, Head> heads) {
        run(() -> {
            layout.moveHeads(connection, heads);
            return heads;
        });
    }

    @Override
    public Map<String, Head> lastRows(Connection connection, List<String> conversations) {
        return run(() -> layout.lastRows(connection, conversations));
    }

    @Override
    public Collection<String> existing(Connection connection, List<String> conversations) {
        return run(() -> layout.heads(connection, conversations)).keySet();
    }

    @Override
    public void createHeads(Connection connection, Map<String, Head> heads) {
        run(() -> {
            Connections.Restoring waitLimit = connections.dialect().limitInsertWait(connection, Locking.PATIENCE);
            try {
                layout.createHeads(connection, heads);
            } finally {
                Connections.restore(waitLimit);
            }
            return heads;
        });
    }

    @Override
    public boolean canAppendFresh() {
        return layout.canAppendFresh();
    }

    @Override
    public Map<String, Head> appendFresh(List<FreshDrafts> drafts, Locking locking) {
        return connections.statement(connection -> {
            try {
                return layout.appendFresh(connection, drafts, locking);
            } catch (SQLException e) {
                throw SqlFaults.ofOneStatement(e);
            }
        });
    }

    private static <R> R run(Statements<R> statements) {
        try {
            return statements.run();
        } catch (SQLException e) {
            throw SqlFaults.inTransaction(e);
        }
    }

    private interface Statements<R> {
        R run() throws SQLException;
    }
}
