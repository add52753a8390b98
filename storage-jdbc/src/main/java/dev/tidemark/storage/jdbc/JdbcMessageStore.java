package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.Ids;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.TransactionalMessageStore;
import dev.tidemark.storage.append.AppendAlgorithm;
import dev.tidemark.storage.append.AppendFault;
import dev.tidemark.storage.append.Backoff;
import dev.tidemark.storage.append.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The message store on a relational database. It takes a connection for the length of each call.
 *
 * <p>A new conversation's row is created on a connection of its own, in a transaction of its own, so {@link #appendWithin}
 * takes a second connection for the first message of a conversation: a pool must have one to spare for it.
 *
 * <p>Under REPEATABLE READ or above, a caller's transaction on PostgreSQL does not see a conversation that was created after
 * its snapshot and answers {@link AppendResult.Deferred} for it; READ COMMITTED has no such limit.
 */
public final class JdbcMessageStore implements TransactionalMessageStore<Connection> {

    private static final Slice NOTHING = new Slice(Head.EMPTY, null, List.of());

    private final Database database;
    private final StoreLimits limits;
    private final Function<Dialect, MessageLayout> layouts;
    private volatile @Nullable Engine engine;

    private JdbcMessageStore(Database database, StoreLimits limits, Function<Dialect, MessageLayout> layouts) {
        this.database = database;
        this.limits = limits;
        this.layouts = layouts;
    }

    /** A store over Tidemark's own tables, with default options. */
    public static JdbcMessageStore over(DataSource dataSource) {
        return over(dataSource, JdbcOptions.defaults());
    }

    /** A store over Tidemark's own tables. */
    public static JdbcMessageStore over(DataSource dataSource, JdbcOptions options) {
        return new JdbcMessageStore(
                new Database(dataSource, options),
                StandardMessageLayout.LIMITS,
                dialect -> dialect.messageLayout(options.prefix()));
    }

    /** A store over tables of the host's own shape; of the options, the prefix does not matter then. */
    public static JdbcMessageStore over(DataSource dataSource, JdbcOptions options, MessageLayout layout) {
        Objects.requireNonNull(layout, "layout");
        return new JdbcMessageStore(new Database(dataSource, options), layout.limits(), dialect -> layout);
    }

    @Override
    public StoreLimits limits() {
        return limits;
    }

    @Override
    public List<AppendResult> append(List<Draft> drafts, Duration wait) {
        return engine().algorithm.append(drafts, wait);
    }

    @Override
    public List<AppendResult> appendWithin(Connection transaction, List<Draft> drafts) {
        return within(transaction, callers -> engine().algorithm.appendWithin(callers, drafts));
    }

    @Override
    public List<AppendResult> appendAllWithin(Connection transaction, List<Draft> drafts) {
        return within(transaction, callers -> engine().algorithm.appendAllWithin(callers, drafts));
    }

    private static <R> R within(Connection transaction, Function<Transactions<Connection>, R> work) {
        try {
            if (transaction.isClosed() || transaction.getAutoCommit()) {
                throw new InvalidInputException("transaction", "an open connection with autocommit off");
            }
        } catch (SQLException e) {
            throw SqlFaults.outsideAppend(e);
        }
        try {
            return work.apply(new Connections.Joined(transaction));
        } catch (AppendFault fault) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, fault.reason(), fault);
        }
    }

    @Override
    public Map<MessageKey, Receipt> find(Collection<MessageKey> keys) {
        Set<MessageKey> possible = new HashSet<>(keys);
        possible.removeIf(
                key -> !canExist(key.conversation()) || !canExist(key.sender()) || !canExist(key.messageId()));
        if (possible.isEmpty()) {
            return Map.of();
        }
        return Map.copyOf(query((layout, connection) -> layout.find(connection, possible)));
    }

    @Override
    public Slice after(String conversation, long after, int limit) {
        if (after < 0) {
            throw new InvalidInputException("after", "0 or more, was " + after);
        }
        checkLimit(limit);
        return canExist(conversation)
                ? query((layout, connection) -> layout.after(connection, conversation, after, limit))
                : NOTHING;
    }

    @Override
    public Slice before(String conversation, long before, int limit) {
        if (before < 1) {
            throw new InvalidInputException("before", "1 or more, was " + before);
        }
        checkLimit(limit);
        return canExist(conversation)
                ? query((layout, connection) -> layout.before(connection, conversation, before, limit))
                : NOTHING;
    }

    @Override
    public Map<String, Head> heads(Collection<String> conversations) {
        Map<String, Head> heads = new HashMap<>();
        conversations.forEach(conversation -> heads.put(conversation, Head.EMPTY));
        Set<String> possible = new TreeSet<>(conversations);
        possible.removeIf(conversation -> !canExist(conversation));
        if (!possible.isEmpty()) {
            heads.putAll(query((layout, connection) -> layout.heads(connection, possible)));
        }
        return Map.copyOf(heads);
    }

    /**
     * Checks that commits are durable and that the tables are there and of the right version.
     *
     * @throws StorageException {@link StorageException.Kind#UNSUPPORTED} with the remedy in its message
     */
    @Override
    public void verify() {
        database.verifyDurability();
        query((layout, connection) -> {
            layout.verify(connection);
            return layout;
        });
    }

    private <R> R query(LayoutQuery<R> query) {
        Engine ready = engine();
        return database.connections().query(connection -> query.run(ready.layout, connection));
    }

    private Engine engine() {
        Engine ready = engine;
        if (ready == null) {
            synchronized (this) {
                ready = engine;
                if (ready == null) {
                    ready = Engine.of(database, layouts.apply(database.dialect()), limits);
                    engine = ready;
                }
            }
        }
        return ready;
    }

    /** An id that breaks the rules was never stored. Asking for it, a driver might make another one of it. */
    private static boolean canExist(String id) {
        return Ids.problemOf(id) == null;
    }

    private static void checkLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidInputException("limit", "1 to " + MAX_LIMIT + ", was " + limit);
        }
    }

    /** What can be put together once the dialect is known. */
    private record Engine(MessageLayout layout, AppendAlgorithm<Connection> algorithm) {

        static Engine of(Database database, MessageLayout layout, StoreLimits limits) {
            Connections connections = database.connections();
            return new Engine(
                    layout,
                    new AppendAlgorithm<>(
                            new LayoutPrimitives(layout, connections),
                            connections,
                            limits,
                            database.options().clock(),
                            Backoff.jittered()));
        }
    }

    private interface LayoutQuery<R> {
        R run(MessageLayout layout, Connection connection) throws SQLException;
    }
}
