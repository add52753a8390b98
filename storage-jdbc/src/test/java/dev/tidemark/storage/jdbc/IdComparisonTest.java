package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.util.List;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Where a database is opened with defaults that would make two ids one. The contract has the ids themselves. */
class IdComparisonTest {

    @Test
    void idsAreApartOnH2ThatIgnoresCase() {
        try (FreshDatabase database = TestDatabase.H2.freshDatabase()) {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL(database.url() + ";IGNORECASE=TRUE");
            dataSource.setUser(database.user());
            dataSource.setPassword(database.password());
            SchemaInstaller.install(dataSource, JdbcOptions.defaults());
            JdbcMessageStore store = JdbcMessageStore.over(dataSource);

            List<Draft> drafts = Stream.of("a", "A", "a ", "ä", "Ä")
                    .map(id -> Draft.of("conversation " + id, "ann", id, Body.of(id)))
                    .toList();

            assertThat(store.append(drafts))
                    .allMatch(result -> result instanceof AppendResult.Appended appended && appended.seq() == 1);
            assertThat(store.heads(List.of("conversation a", "conversation A")).values())
                    .extracting(head -> head.seq())
                    .containsExactly(1L, 1L);
        }
    }
}
