package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {

    private static final JdbcOptions OTHER_PREFIX = JdbcOptions.defaults().withPrefix("chat_");

    @ParameterizedTest
    @EnumSource
    void aMissingSchemaIsAnsweredWithTheScriptToRun(TestDatabase server) {
        try (FreshDatabase database = server.freshDatabase()) {
            DataSource dataSource = database.dataSource();
            String folder =
                    new Database(dataSource, JdbcOptions.defaults()).dialect().name();

            assertThatThrownBy(() -> JdbcMessageStore.over(dataSource).verify())
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNSUPPORTED))
                    .hasMessageContaining("tidemark-schema/" + folder + "/V1__tidemark.sql")
                    .hasMessageContaining("SchemaInstaller.install");
        }
    }

    @ParameterizedTest
    @EnumSource
    void installingTwiceDoesNothingTheSecondTime(TestDatabase server) {
        try (FreshDatabase database = server.freshDatabase()) {
            DataSource dataSource = database.dataSource();
            SchemaInstaller.install(dataSource, JdbcOptions.defaults());
            assertThat(append(dataSource, JdbcOptions.defaults())).isInstanceOf(AppendResult.Appended.class);

            SchemaInstaller.install(dataSource, JdbcOptions.defaults());

            assertThat(append(dataSource, JdbcOptions.defaults())).isInstanceOf(AppendResult.Duplicate.class);
            assertThatCode(() -> JdbcMessageStore.over(dataSource).verify()).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource
    void prefixesKeepTwoInstallationsApart(TestDatabase server) {
        try (FreshDatabase database = server.freshDatabase()) {
            DataSource dataSource = database.dataSource();
            SchemaInstaller.install(dataSource, JdbcOptions.defaults());
            SchemaInstaller.install(dataSource, OTHER_PREFIX);

            assertThat(append(dataSource, JdbcOptions.defaults())).isInstanceOf(AppendResult.Appended.class);
            assertThat(append(dataSource, OTHER_PREFIX)).isInstanceOf(AppendResult.Appended.class);
        }
    }

    @Test
    void aSchemaOfANewerReleaseIsRefused() throws SQLException {
        try (FreshDatabase database = TestDatabase.H2.freshDatabase()) {
            SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO tidemark_schema (version) VALUES (99)");
            }

            assertThatThrownBy(
                            () -> JdbcMessageStore.over(database.dataSource()).verify())
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("version 99")
                    .hasMessageContaining("newer release");
        }
    }

    @Test
    void theScriptsCarryThePrefixEverywhere() {
        for (Dialect dialect : List.of(Dialect.postgresql(), Dialect.mysql(), Dialect.mariadb(), Dialect.h2())) {
            assertThat(SchemaInstaller.scripts(dialect, "chat_"))
                    .hasSize(1)
                    .allSatisfy(script ->
                            assertThat(script).contains("chat_message").doesNotContain("tidemark_"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1x_", "drop table x;", "a-b", "a.b_", "ä_"})
    void aPrefixThatIsNoIdentifierIsRefusedByName(String prefix) {
        assertThatThrownBy(() -> JdbcOptions.defaults().withPrefix(prefix))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("prefix"));
    }

    private static AppendResult append(DataSource dataSource, JdbcOptions options) {
        return JdbcMessageStore.over(dataSource, options)
                .append(List.of(Draft.of("conversation", "ann", "m1", Body.of("hello"))))
                .get(0);
    }
}
