package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.append.Backoff;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The cursor store on a relational database. It takes a connection for the length of each call. On MySQL and MariaDB a batch
 * of more than a thousand cursors is moved by a thousand at a time.
 *
 * <p>Whether commits are durable is not checked: a cursor that a crash has set back costs repeated delivery, nothing more
 * (P7).
 *
 * <p>Safe for use by many threads.
 */
public final class JdbcCursorStore implements CursorStore {

    private final Database database;
    private final Retries retries;
    private volatile @Nullable CursorTable table;

    private JdbcCursorStore(Database database) {
        this.database = database;
        this.retries = new Retries(database, Backoff.jittered());
    }

    /** A store over Tidemark's own tables, with default options. */
    public static JdbcCursorStore over(DataSource dataSource) {
        return over(dataSource, JdbcOptions.defaults());
    }

    /** A store over Tidemark's own tables. */
    public static JdbcCursorStore over(DataSource dataSource, JdbcOptions options) {
        return new JdbcCursorStore(new Database(dataSource, options));
    }

    @Override
    public Map<CursorKey, Cursor> advance(Map<CursorKey, Cursor> marks) {
        marks.keySet().forEach(JdbcCursorStore::check);
        if (marks.isEmpty()) {
            return Map.of();
        }
        CursorTable cursors = table();
        Map<CursorKey, Cursor> held = new HashMap<>();
        for (List<Map.Entry<CursorKey, Cursor>> chunk :
                StandardMessageLayout.chunks(new TreeMap<>(marks).entrySet(), cursors.maxMarks())) {
            SqlFunction<Map<CursorKey, Cursor>> advance = connection -> cursors.advance(connection, chunk);
            held.putAll(cursors.takesTurns() ? retries.transaction(advance) : retries.statements(advance));
        }
        return Map.copyOf(held);
    }

    @Override
    public Map<CursorKey, Cursor> get(Collection<CursorKey> keys) {
        Map<CursorKey, Cursor> held = new HashMap<>();
        Set<CursorKey> possible = new HashSet<>();
        for (CursorKey key : keys) {
            held.put(key, Cursor.NONE);
            if (isPossible(key.owner()) && StoredIds.isPossible(key.conversation())) {
                possible.add(key);
            }
        }
        if (!possible.isEmpty()) {
            CursorTable cursors = table();
            held.putAll(database.connections().query(connection -> cursors.find(connection, possible)));
        }
        return Map.copyOf(held);
    }

    @Override
    public Cursor reset(CursorKey key, long seq) {
        check(key);
        if (seq < 0) {
            throw new InvalidInputException("seq", "0 or more, was " + seq);
        }
        CursorTable cursors = table();
        return retries.transaction(connection -> cursors.reset(connection, key, seq));
    }

    @Override
    public KeyPage<Held> list(DeviceId device, @Nullable String after, int limit) {
        KeyPages.checkLimit(limit, MAX_LIMIT);
        String start = KeyPages.start(after);
        if (!isPossible(device)) {
            return new KeyPage<>(List.of(), null);
        }
        CursorTable cursors = table();
        List<Held> rows =
                database.connections().query(connection -> cursors.list(connection, device, start, limit + 1));
        return KeyPages.cut(rows, limit, held -> held.key().conversation());
    }

    /**
     * Checks that the tables are there and of the right version.
     *
     * @throws dev.tidemark.storage.StorageException {@link dev.tidemark.storage.StorageException.Kind#UNSUPPORTED} with the
     *     remedy in its message
     */
    @Override
    public void verify() {
        database.verifySchema();
    }

    private CursorTable table() {
        CursorTable known = table;
        if (known == null) {
            // Two threads may both make it, and make the same.
            known = CursorTable.of(database.dialect(), database.options().prefix());
            table = known;
        }
        return known;
    }

    private static void check(CursorKey key) {
        StoredIds.check("user", key.user());
        StoredIds.check("device", key.device());
        StoredIds.check("conversation", key.conversation());
    }

    private static boolean isPossible(DeviceId device) {
        return StoredIds.isPossible(device.user()) && StoredIds.isPossible(device.device());
    }
}
