package dev.tidemark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmarks in miniature: that they run, and that their own checks see what they are there to see. */
class HolesTest {

    private static Servers servers;

    @BeforeAll
    static void start() throws IOException {
        servers = new Servers();
        servers.announce();
    }

    @AfterAll
    static void stop() throws IOException {
        servers.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"TIDEMARK", "TIDEMARK_3_NODES"})
    @DisplayName("P2: a reader that follows its cursor skips nothing")
    void aReaderThatFollowsItsCursorSkipsNothing(SendDesign.Name design) {
        assertThat(Holes.count(design, 4, 2000)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void everyDesignStoresWhatItAcknowledges(SendDesign.Name design) {
        try (Load load = new Load(design, 10, design.isTidemark() ? 0.05 : 0)) {
            load.start(3000);
            load.awaitAll();
            assertThat(load.finish(design)).isEmpty();
            assertThat(load.acknowledged()).isEqualTo(3000);
        }
    }

    @Test
    void aMissingRowAndAGapAreNoticed() throws SQLException {
        try (Load load = new Load(SendDesign.Name.TIDEMARK, 2, 0)) {
            load.start(100);
            load.awaitAll();
            assertThat(load.finish(SendDesign.Name.TIDEMARK)).isEmpty();
            execute(load.dataSource(), "DELETE FROM tidemark_message WHERE seq = 7");

            assertThat(load.finish(SendDesign.Name.TIDEMARK))
                    .containsExactly(
                            "TIDEMARK: 100 messages acknowledged, 98 rows", "TIDEMARK: 2 conversations with gaps");
        }
    }

    @Test
    void aRowThatAppearsBehindTheCursorIsAHole() throws SQLException {
        try (Load load = new Load(SendDesign.Name.CEILING, 1, 0)) {
            execute(load.dataSource(), insert(1) + ", " + values(3));
            FollowingReader reader = new FollowingReader(load.dataSource(), 1, 0);
            while (!reader.hasSeen(3)) {
                Thread.onSpinWait();
            }
            execute(load.dataSource(), insert(2));

            assertThat(reader.stop()).isEqualTo(2);
        }
    }

    private static String insert(int seq) {
        return "INSERT INTO tidemark_message VALUES " + values(seq);
    }

    private static String values(int seq) {
        return "('conversation-0', " + seq + ", 'u', 'm" + seq + "', 'text', true, 0, 0, 0, '')";
    }

    private static void execute(HikariDataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
