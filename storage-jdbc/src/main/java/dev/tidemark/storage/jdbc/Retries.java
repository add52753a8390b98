package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.append.AppendFault;
import dev.tidemark.storage.append.Backoff;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * Runs work that commits, and runs it again when the database undid it for no fault of its own: a deadlock, a serialization
 * failure (H35), or a key that another node has inserted since the work looked for it. The work is one that can be repeated,
 * whatever became of it before.
 */
final class Retries {

    /** As many as an append has. */
    static final int MAX_TRIES = 8;

    private final Database database;
    private final Backoff backoff;

    Retries(Database database, Backoff backoff) {
        this.database = database;
        this.backoff = backoff;
    }

    /** Runs statements each of which commits by itself. */
    <R> R statements(SqlFunction<R> work) {
        return repeat(() -> database.connections().statement(work));
    }

    /** Runs statements as one transaction. */
    <R> R transaction(SqlFunction<R> work) {
        return repeat(() -> database.connections().attempt(connection -> {
            try {
                return work.apply(connection);
            } catch (SQLException e) {
                throw SqlFaults.inTransaction(e);
            }
        }));
    }

    private <R> R repeat(Supplier<R> attempt) {
        for (int tries = 1; ; tries++) {
            try {
                return attempt.get();
            } catch (AppendFault fault) {
                if (!isPassing(fault) || tries == MAX_TRIES) {
                    throw new StorageException(
                            StorageException.Kind.UNAVAILABLE,
                            fault.kind() + " after " + tries + " tries: " + fault.reason(),
                            fault);
                }
                backoff.pause(tries);
            }
        }
    }

    private static boolean isPassing(AppendFault fault) {
        return switch (fault.kind()) {
            case TRY_AGAIN, KEY_TAKEN -> true;
            case LOCK_TIMEOUT, UNSTORABLE -> false;
        };
    }
}
