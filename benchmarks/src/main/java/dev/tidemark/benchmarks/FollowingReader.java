package dev.tidemark.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * A reader as devices are: it asks each conversation in turn for what follows its cursor, and moves the cursor to the last
 * row it got. What becomes visible behind its cursor it never sees.
 */
final class FollowingReader implements AutoCloseable {

    private static final String PAGE =
            "SELECT seq FROM tidemark_message WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT 1000";

    /** A table that was just emptied has no statistics: without this, each page would read and sort all that is ahead of it. */
    private static final String READ_IN_INDEX_ORDER = "SET enable_bitmapscan = off; SET enable_seqscan = off";

    private final DataSource dataSource;
    private final long[] cursors;
    private final long[] seen;
    private final long pauseNanos;
    private final Thread thread;
    private volatile boolean closed;
    private volatile long reached;

    /**
     * Starts to follow.
     *
     * @param pauseMicros how long to rest between two pages; 0 for not at all
     */
    FollowingReader(DataSource dataSource, int conversations, long pauseMicros) {
        this.dataSource = dataSource;
        this.cursors = new long[conversations];
        this.seen = new long[conversations];
        this.pauseNanos = TimeUnit.MICROSECONDS.toNanos(pauseMicros);
        this.thread = new Thread(this::follow, "reader");
        thread.start();
    }

    private void follow() {
        try (Connection connection = dataSource.getConnection();
                Statement plan = connection.createStatement();
                PreparedStatement page = connection.prepareStatement(PAGE)) {
            plan.execute(READ_IN_INDEX_ORDER);
            while (!closed) {
                for (int i = 0; i < cursors.length && !closed; i++) {
                    read(page, i);
                    reached = cursors[0];
                    if (pauseNanos > 0) {
                        LockSupport.parkNanos(pauseNanos);
                    }
                }
            }
            // All is stored now: what is still ahead of the cursor is not lost.
            for (int i = 0; i < cursors.length; i++) {
                int rows;
                do {
                    rows = read(page, i);
                } while (rows > 0);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private int read(PreparedStatement page, int conversation) throws SQLException {
        page.setString(1, Message.conversationId(conversation));
        page.setLong(2, cursors[conversation]);
        int rows = 0;
        try (ResultSet result = page.executeQuery()) {
            while (result.next()) {
                cursors[conversation] = result.getLong(1);
                rows++;
            }
        }
        seen[conversation] += rows;
        return rows;
    }

    /** Whether the cursor of the first conversation has reached a sequence. */
    boolean hasSeen(long seq) {
        return reached >= seq;
    }

    /** Stops, after reading to the end; to be called when everything is stored. Returns how many messages were seen. */
    long stop() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        long sum = 0;
        for (long rows : seen) {
            sum += rows;
        }
        return sum;
    }

    @Override
    public void close() {
        stop();
    }
}
