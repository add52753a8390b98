package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.StorageException;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFaultsTest {

    @ParameterizedTest
    @CsvSource({
        "25006, UNAVAILABLE",
        "26000, UNAVAILABLE",
        "42P05, UNAVAILABLE",
        "53100, UNAVAILABLE",
        "57014, UNAVAILABLE",
        "42501, UNSUPPORTED",
        "42P01, UNSUPPORTED",
        "08006, UNKNOWN_OUTCOME",
        "40003, UNKNOWN_OUTCOME",
        "57P01, UNKNOWN_OUTCOME",
        "XX000, UNKNOWN_OUTCOME",
        ", UNKNOWN_OUTCOME"
    })
    @DisplayName("H6: what the server answers is known, what it does not answer is not")
    void anAnswerOfTheServerIsKnown(String state, StorageException.Kind kind) {
        assertThat(SqlFaults.ofOneStatement(new SQLException("text", state)))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
