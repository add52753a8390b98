package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MutableConversationDirectory;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.VisibleRange;
import dev.tidemark.storage.append.Backoff;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The directory of conversations on a relational database, for hosts that have none. It takes a connection for the length of
 * each call.
 *
 * <p>Nodes may let the same user join and leave at the same time. The memberships of a user in a conversation are numbered,
 * and the number is the key: who begins the next one after looking at the last one either finds it as it was, or finds the
 * number taken and looks again. So no two memberships overlap, and no two last.
 *
 * <p>Safe for use by many threads.
 */
public final class JdbcConversationDirectory implements MutableConversationDirectory {

    private final Database database;
    private final Retries retries;
    private volatile @Nullable MembershipTable table;

    private JdbcConversationDirectory(Database database) {
        this.database = database;
        this.retries = new Retries(database, Backoff.jittered());
    }

    /** A directory over Tidemark's own tables, with default options. */
    public static JdbcConversationDirectory over(DataSource dataSource) {
        return over(dataSource, JdbcOptions.defaults());
    }

    /** A directory over Tidemark's own tables. */
    public static JdbcConversationDirectory over(DataSource dataSource, JdbcOptions options) {
        return new JdbcConversationDirectory(new Database(dataSource, options));
    }

    @Override
    public KeyPage<Member> members(String conversation, @Nullable String after, int limit) {
        KeyPages.checkLimit(limit, MAX_LIMIT);
        String start = KeyPages.start(after);
        if (!StoredIds.isPossible(conversation)) {
            return new KeyPage<>(List.of(), null);
        }
        MembershipTable memberships = table();
        List<Member> rows = database.connections()
                .query(connection -> memberships.members(connection, conversation, start, limit + 1));
        return KeyPages.cut(rows, limit, Member::user);
    }

    @Override
    public KeyPage<String> conversations(String user, @Nullable String after, int limit) {
        KeyPages.checkLimit(limit, MAX_LIMIT);
        String start = KeyPages.start(after);
        if (!StoredIds.isPossible(user)) {
            return new KeyPage<>(List.of(), null);
        }
        MembershipTable memberships = table();
        List<String> rows = database.connections()
                .query(connection -> memberships.conversations(connection, user, start, limit + 1));
        return KeyPages.cut(rows, limit, conversation -> conversation);
    }

    @Override
    public Map<MemberKey, Visibility> visibility(Collection<MemberKey> members) {
        Map<MemberKey, Visibility> visibility = new HashMap<>();
        Set<MemberKey> possible = new HashSet<>();
        for (MemberKey member : members) {
            visibility.put(member, Visibility.NONE);
            if (isPossible(member.conversation(), member.user())) {
                possible.add(member);
            }
        }
        if (!possible.isEmpty()) {
            MembershipTable memberships = table();
            visibility.putAll(database.connections().query(connection -> memberships.visibility(connection, possible)));
        }
        return Map.copyOf(visibility);
    }

    @Override
    public void join(String conversation, String user, long first) {
        StoredIds.check("conversation", conversation);
        StoredIds.check("user", user);
        if (first < 1) {
            throw new InvalidInputException("first", "1 or more, was " + first);
        }
        MembershipTable memberships = table();
        retries.statements(connection -> {
            MembershipTable.Latest latest = memberships.latest(connection, conversation, user);
            if (!latest.isLasting()) {
                if (first <= latest.last()) {
                    throw new InvalidInputException(
                            "first", "more than " + latest.last() + ", the end of an earlier membership, was " + first);
                }
                memberships.begin(connection, conversation, user, latest.nth() + 1, first);
            }
            return latest;
        });
    }

    @Override
    public void leave(String conversation, String user, long last) {
        if (last < 0) {
            throw new InvalidInputException("last", "0 or more, was " + last);
        }
        if (!isPossible(conversation, user)) {
            return;
        }
        // The greatest number is the mark of a membership that lasts, and this one is to end.
        long end = Math.min(last, VisibleRange.OPEN - 1);
        MembershipTable memberships = table();
        retries.statements(connection -> {
            // Each of the two is right by itself, whatever another node does between them.
            boolean isEnded = memberships.end(connection, conversation, user, end);
            if (!isEnded) {
                memberships.remove(connection, conversation, user, end);
            }
            return isEnded;
        });
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

    private MembershipTable table() {
        MembershipTable known = table;
        if (known == null) {
            // Two threads may both make it, and make the same.
            known = new MembershipTable(database.dialect(), database.options().prefix());
            table = known;
        }
        return known;
    }

    private static boolean isPossible(String conversation, String user) {
        return StoredIds.isPossible(conversation) && StoredIds.isPossible(user);
    }
}
