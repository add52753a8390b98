package dev.tidemark.storage.jdbc;

import static dev.tidemark.storage.jdbc.JdbcCursorStoreContract.assertFails;
import static dev.tidemark.storage.jdbc.JdbcCursorStoreContract.during;
import static dev.tidemark.storage.jdbc.JdbcCursorStoreContract.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MutableConversationDirectory;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.VisibleRange;
import dev.tidemark.storage.tck.ConversationDirectoryContract;
import dev.tidemark.storage.tck.RetryableFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a directory, and what a database can do to one. */
abstract class JdbcConversationDirectoryContract extends ConversationDirectoryContract {

    private final CursorAndDirectoryDatabase database;

    JdbcConversationDirectoryContract(CursorAndDirectoryDatabase database) {
        this.database = database;
    }

    @Override
    protected CursorOrDirectoryFixture<JdbcConversationDirectory> open() {
        return database.directory();
    }

    private static MemberKey pair() {
        return new MemberKey(UUID.randomUUID().toString(), "ann");
    }

    private static Visibility visibility(JdbcConversationDirectory directory, MemberKey pair) {
        return directory.visibility(List.of(pair)).get(pair);
    }

    @Test
    @DisplayName(
            "H23: whoever lets a user come and go, on many nodes at once: memberships never overlap, one lasts at most")
    void membershipsNeverOverlap() throws Exception {
        MemberKey pair = pair();
        try (CursorOrDirectoryFixture<JdbcConversationDirectory> fixture = open()) {
            List<Callable<Integer>> nodes = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                JdbcConversationDirectory node = fixture.another();
                Random random = new Random(i);
                nodes.add(() -> comeAndGo(node, pair, random));
            }

            int joined = CursorOrDirectoryRace.run(nodes).stream()
                    .mapToInt(count -> count)
                    .sum();

            assertThat(joined).as("joins that were not too late").isGreaterThan(5);
            List<Member> members = fixture.store()
                    .members(pair.conversation(), null, MutableConversationDirectory.MAX_LIMIT)
                    .items();
            assertThat(members).hasSize(visibility(fixture.store(), pair).isMember() ? 1 : 0);
        }
    }

    /** Visibility itself checks the order of the ranges. Some of the memberships end before they begin: they are removed. */
    private static int comeAndGo(JdbcConversationDirectory node, MemberKey pair, Random random) {
        int joined = 0;
        for (int i = 1; i <= 40; i++) {
            try {
                node.join(pair.conversation(), pair.user(), i * 10L + random.nextInt(20));
                joined++;
            } catch (InvalidInputException e) {
                assertThat(e.field()).isEqualTo("first");
            }
            assertThat(visibility(node, pair)).isNotNull();
            node.leave(pair.conversation(), pair.user(), i * 10L + random.nextInt(20));
        }
        return joined;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("H35: deadlocks and serialization failures are retried inside; one that persists is a fault")
    void whatPassesIsRetried(RetryableFault fault) {
        MemberKey pair = pair();
        try (CursorOrDirectoryFixture<JdbcConversationDirectory> fixture = open()) {
            JdbcConversationDirectory directory = fixture.store();
            during(
                    fixture.script().failStatements(1, 3, fault),
                    () -> directory.join(pair.conversation(), pair.user(), 5));
            during(
                    fixture.script().failStatements(0, 3, fault),
                    () -> directory.leave(pair.conversation(), pair.user(), 7));

            during(fixture.script().failStatements(0, Integer.MAX_VALUE, fault), () -> {
                assertFails(
                        StorageException.Kind.UNAVAILABLE, () -> directory.join(pair.conversation(), pair.user(), 9));
                assertFails(
                        StorageException.Kind.UNAVAILABLE, () -> directory.leave(pair.conversation(), pair.user(), 9));
                assertFails(StorageException.Kind.UNAVAILABLE, () -> visibility(directory, pair));
            });
            assertThat(visibility(directory, pair)).isEqualTo(new Visibility(List.of(new VisibleRange(5, 7))));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DIES_BEFORE", "DIES_AFTER"})
    @DisplayName("H6: of a commit without an answer the outcome is unknown; the same call again makes one membership")
    void anUnknownOutcomeIsSaid(SqlScript.Commit death) {
        MemberKey pair = pair();
        try (CursorOrDirectoryFixture<JdbcConversationDirectory> fixture = open()) {
            JdbcConversationDirectory directory = fixture.store();
            fixture.script().atNextCommit(death);
            assertFails(
                    StorageException.Kind.UNKNOWN_OUTCOME, () -> directory.join(pair.conversation(), pair.user(), 5));

            directory.join(pair.conversation(), pair.user(), 5);

            assertThat(visibility(directory, pair)).isEqualTo(new Visibility(List.of(VisibleRange.from(5))));
        }
    }

    @Test
    void aMembershipEndsWhateverItsLastSequence() {
        MemberKey pair = pair();
        try (CursorOrDirectoryFixture<JdbcConversationDirectory> fixture = open()) {
            fixture.store().join(pair.conversation(), pair.user(), 5);
            fixture.store().leave(pair.conversation(), pair.user(), Long.MAX_VALUE);

            assertThat(visibility(fixture.store(), pair)).satisfies(it -> {
                assertThat(it.isMember()).isFalse();
                assertThat(it.sees(1_000_000)).isTrue();
            });
            assertThat(fixture.store().members(pair.conversation(), null, 10).items())
                    .isEmpty();
        }
    }

    @Test
    void membershipsThatOverlapAreSaidToBeCorrupt() {
        MemberKey pair = pair();
        try (CursorOrDirectoryFixture<JdbcConversationDirectory> fixture = open()) {
            fixture.store().join(pair.conversation(), pair.user(), 5);
            database.tamper(
                    "INSERT INTO {}membership (conversation_id, user_id, nth, first_seq) SELECT conversation_id,"
                            + " user_id, 2, 9 FROM {}membership WHERE nth = 1 AND first_seq = 5 AND last_seq IS NULL");

            assertFails(StorageException.Kind.CORRUPT, () -> visibility(fixture.store(), pair));
        }
    }

    @Test
    void aCallTakesFewStatements() {
        MemberKey pair = pair();
        List<MemberKey> many = IntStream.range(0, 25_000)
                .mapToObj(i -> new MemberKey(pair.conversation(), "user-" + i))
                .toList();
        try (CursorOrDirectoryFixture<JdbcConversationDirectory> fixture = open()) {
            JdbcConversationDirectory directory = fixture.store();
            within(2, fixture, () -> directory.join(pair.conversation(), pair.user(), 1));
            within(1, fixture, () -> directory.join(pair.conversation(), pair.user(), 1));
            within(2, fixture, () -> assertThat(directory.visibility(many)).hasSize(25_000));
            within(
                    1,
                    fixture,
                    () -> assertThat(directory
                                    .members(pair.conversation(), null, 10)
                                    .items())
                            .containsExactly(new Member(pair.user(), 1)));
            within(
                    1,
                    fixture,
                    () -> assertThat(directory
                                    .conversations(pair.user(), null, 10)
                                    .items())
                            .contains(pair.conversation()));
            within(1, fixture, () -> directory.leave(pair.conversation(), pair.user(), 1));
            within(2, fixture, () -> directory.leave(pair.conversation(), pair.user(), 1));
            assertThat(directory.visibility(List.of(pair)))
                    .isEqualTo(Map.of(pair, new Visibility(List.of(new VisibleRange(1, 1)))));
        }
    }
}
