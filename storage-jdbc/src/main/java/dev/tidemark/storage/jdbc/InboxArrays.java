package dev.tidemark.storage.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Inbox rows as one array per column, in the order of {@link InboxTable#ALL_COLUMNS}. */
final class InboxArrays {

    private InboxArrays() {}

    static void bind(PreparedStatement statement, List<InboxRow> rows) throws SQLException {
        statement.setObject(1, texts(rows, row -> row.key().user()));
        statement.setObject(2, texts(rows, row -> row.key().conversation()));
        statement.setObject(3, numbers(rows, InboxRow::recency));
        statement.setObject(4, numbers(rows, InboxRow::seq));
        statement.setObject(5, texts(rows, InboxRow::sender));
        statement.setObject(6, texts(rows, InboxRow::kind));
        statement.setObject(7, rows.stream().map(InboxRow::preview).toArray(byte[][]::new));
        statement.setObject(8, numbers(rows, InboxRow::storedAt));
        statement.setObject(9, numbers(rows, InboxRow::readTo));
        statement.setObject(10, numbers(rows, InboxRow::countedTo));
        statement.setObject(11, rows.stream().map(InboxRow::unread).toArray(Integer[]::new));
    }

    private static String[] texts(List<InboxRow> rows, Function<InboxRow, String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    private static Long[] numbers(List<InboxRow> rows, ToLongFunction<InboxRow> column) {
        return rows.stream().mapToLong(column).boxed().toArray(Long[]::new);
    }
}
