package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxRecount;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.MemberKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of inbox entries: as it is, or as it would be if it were the first of its key.
 *
 * <p>A counter below zero is a miss, whatever it is. What an update brings that does not begin with sequence 1 would be a miss
 * as the first of its key; so its columns of the counter are free to carry what it adds to an entry that is there: {@code
 * countedTo} is what it follows on, {@code unread} one less than the negative of what it counts.
 *
 * @param latest null where there is no message
 */
record InboxRow(MemberKey key, @Nullable LatestMessage latest, long readTo, long countedTo, int unread) {

    /** The recency of what has no latest message. */
    static final long NO_RECENCY = Long.MIN_VALUE;

    static InboxRow of(InboxUpdate update) {
        return update.first() == 1
                ? new InboxRow(update.key(), update.latest(), 0, update.latest().seq(), update.countable())
                : new InboxRow(update.key(), update.latest(), 0, update.first() - 1, -1 - update.countable());
    }

    static InboxRow of(InboxRecount recount) {
        return new InboxRow(recount.key(), recount.latest(), recount.readTo(), recount.countedTo(), recount.unread());
    }

    static InboxRow of(Map.Entry<MemberKey, Long> readTo) {
        return new InboxRow(readTo.getKey(), null, readTo.getValue(), readTo.getValue(), 0);
    }

    /** Reads {@link InboxTable#COLUMNS}. */
    static InboxEntry entry(MemberKey key, ResultSet row, int column) throws SQLException {
        long seq = row.getLong(column + 1);
        LatestMessage latest = seq == 0
                ? null
                : new LatestMessage(
                        seq,
                        row.getString(column + 2),
                        row.getString(column + 3),
                        Body.of(row.getBytes(column + 4)),
                        Instant.ofEpochMilli(row.getLong(column + 5)));
        long readTo = row.getLong(column + 6);
        long countedTo = row.getLong(column + 7);
        int unread = row.getInt(column + 8);
        return unread >= 0
                ? new InboxEntry(key, latest, readTo, countedTo, unread)
                : new InboxEntry(key, latest, readTo, Math.max(countedTo, seq), InboxEntry.MISS);
    }

    long recency() {
        return latest == null ? NO_RECENCY : latest.storedAt().toEpochMilli();
    }

    long seq() {
        return latest == null ? 0 : latest.seq();
    }

    String sender() {
        return latest == null ? "" : latest.sender();
    }

    String kind() {
        return latest == null ? "" : latest.kind();
    }

    byte[] preview() {
        return latest == null ? new byte[0] : latest.preview().unsafeBytes();
    }

    long storedAt() {
        return latest == null ? 0 : latest.storedAt().toEpochMilli();
    }
}
