package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.append.AppendFault;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an exception of a driver means, by its SQLState, and by the vendor's number where MySQL and MariaDB have one state
 * for several things. Never by its text.
 */
final class SqlFaults {

    /** serialization_failure and deadlock_detected; MySQL's 1213 comes as 40001 too. */
    private static final Set<String> TRY_AGAIN_STATES = Set.of("40001", "40P01");

    /** MariaDB: a row changed since the snapshot (innodb_snapshot_isolation). */
    private static final Set<Integer> TRY_AGAIN_CODES = Set.of(1020, 1213);

    /** lock_not_available on PostgreSQL, lock timeout on H2. */
    private static final Set<String> LOCK_TIMEOUT_STATES = Set.of("55P03", "HYT00");

    /** Lock wait timeout; lock not available with NOWAIT. */
    private static final Set<Integer> LOCK_TIMEOUT_CODES = Set.of(1205, 3572);

    private static final String UNIQUE_VIOLATION = "23505";

    private static final Set<Integer> UNIQUE_VIOLATION_CODES = Set.of(1062, 1586);

    /** What a trigger raises: SIGNAL by its default state, RAISE EXCEPTION. An index entry that is too long. */
    private static final Set<String> UNSTORABLE_STATES = Set.of("45000", "P0001", "54000");

    /** A check constraint, on MySQL and on MariaDB; text that does not fit the column's character set. */
    private static final Set<Integer> UNSTORABLE_CODES = Set.of(3819, 4025, 1366);

    /** Not supported, a read-only server, an unknown statement, wrong SQL, no resources, not in this state. */
    private static final Set<String> UNDONE_CLASSES = Set.of("0A", "25", "26", "42", "53", "55");

    private static final String CANCELLED = "57014";

    /** A statement of that name exists already, behind a pooler that does not know of them; another connection may do. */
    private static final String DUPLICATE_STATEMENT = "42P05";

    private static final int MAX_REASON = 200;

    private SqlFaults() {}

    /** The fault of a statement in a transaction whose commit was not sent: nothing of it happened. */
    static RuntimeException inTransaction(SQLException e) {
        AppendFault.Kind kind = kindOf(e);
        if (kind != null) {
            return new AppendFault(kind, reason(e), e);
        }
        boolean isWrongSql = is(e, "42") && !DUPLICATE_STATEMENT.equals(e.getSQLState());
        return new StorageException(
                isWrongSql ? StorageException.Kind.UNSUPPORTED : StorageException.Kind.UNAVAILABLE, reason(e), e);
    }

    /**
     * The fault of a commit, or of a statement that commits by itself. When the server answered that it undid the work,
     * nothing happened; when the answer did not arrive, nobody knows.
     */
    static RuntimeException atCommit(SQLException e) {
        RuntimeException fault = inTransaction(e);
        if (fault instanceof StorageException && !is(e, "42")) {
            return new StorageException(StorageException.Kind.UNKNOWN_OUTCOME, reason(e), e);
        }
        return fault;
    }

    /**
     * The fault of one statement that commits by itself, and is all of the work: where the server has answered, nothing
     * happened, and the replay of what may have happened need not hold up the others.
     */
    static RuntimeException ofOneStatement(SQLException e) {
        return CANCELLED.equals(e.getSQLState()) || UNDONE_CLASSES.stream().anyMatch(undone -> is(e, undone))
                ? inTransaction(e)
                : atCommit(e);
    }

    /** The fault of a call that is none of an append's: what an append would answer itself is a failure here. */
    static StorageException outsideAppend(SQLException e) {
        RuntimeException fault = inTransaction(e);
        return fault instanceof StorageException storage
                ? storage
                : new StorageException(StorageException.Kind.UNAVAILABLE, reason(e), e);
    }

    /** The data source gave no connection: nothing happened. */
    static StorageException noConnection(SQLException e) {
        return new StorageException(StorageException.Kind.UNAVAILABLE, "no connection: " + reason(e), e);
    }

    static AppendFault.@Nullable Kind kindOf(SQLException thrown) {
        for (SQLException e = thrown; e != null; e = e.getNextException()) {
            AppendFault.Kind kind = kindOf(String.valueOf(e.getSQLState()), e.getErrorCode());
            if (kind != null) {
                return kind;
            }
        }
        return null;
    }

    private static AppendFault.@Nullable Kind kindOf(String state, int code) {
        // Before the states: MySQL's driver gives a lock timeout the state of a deadlock.
        if (LOCK_TIMEOUT_STATES.contains(state) || LOCK_TIMEOUT_CODES.contains(code)) {
            return AppendFault.Kind.LOCK_TIMEOUT;
        }
        if (TRY_AGAIN_STATES.contains(state) || TRY_AGAIN_CODES.contains(code)) {
            return AppendFault.Kind.TRY_AGAIN;
        }
        if (UNIQUE_VIOLATION.equals(state) || UNIQUE_VIOLATION_CODES.contains(code)) {
            return AppendFault.Kind.KEY_TAKEN;
        }
        if (state.startsWith("22")
                || state.startsWith("23")
                || UNSTORABLE_STATES.contains(state)
                || UNSTORABLE_CODES.contains(code)) {
            return AppendFault.Kind.UNSTORABLE;
        }
        return null;
    }

    private static boolean is(SQLException e, String stateClass) {
        return e.getSQLState() != null && e.getSQLState().startsWith(stateClass);
    }

    /** State and first line: what follows, a driver's "detail", may quote the row, and a payload is never logged. */
    private static String reason(SQLException e) {
        String message = String.valueOf(e.getMessage());
        String line = message.lines().findFirst().orElse("");
        return "SQLState " + e.getSQLState() + ", code " + e.getErrorCode() + ": "
                + (line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON) + "…");
    }
}
