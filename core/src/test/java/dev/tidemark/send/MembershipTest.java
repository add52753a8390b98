package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.code;
import static dev.tidemark.send.SendFixture.refused;
import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.Visibility;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.ScriptedMessageStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("P9: nobody writes where they do not belong")
class MembershipTest {

    private final SendFixture fixture = new SendFixture();

    @Test
    void whoIsNoMemberIsRefusedAndTheOthersAreStored() {
        CompletionStage<SendResult> ann = fixture.send("c1", "m1");
        CompletionStage<SendResult> eve = fixture.send(SendRequest.of("c1", "eve", "m1", "x"));
        CompletionStage<SendResult> bob = fixture.send(SendRequest.of("c1", "bob", "m1", "x"));
        fixture.run();
        assertThat(code(eve)).isEqualTo(ErrorCode.NOT_A_MEMBER);
        assertThat(refused(eve).retryAfter()).isNull();
        assertThat(List.of(stored(ann).seq(), stored(bob).seq())).containsExactly(1L, 2L);
    }

    @Test
    void whoLeftWhileTheSendWasWaitingIsRefused() {
        CompletionStage<SendResult> ann = fixture.send("c1", "m1");
        fixture.members.leave("c1", "ann", 0);
        fixture.run();
        assertThat(code(ann)).isEqualTo(ErrorCode.NOT_A_MEMBER);
        assertThat(fixture.store.calls()).isEmpty();
    }

    @Test
    @DisplayName("P3: a known repeat of somebody who has left is answered by the first receipt")
    void aKnownRepeatIsAnsweredBeforeMembership() {
        CompletionStage<SendResult> first = fixture.send("c1", "m1");
        fixture.run();
        fixture.members.leave("c1", "ann", 1);
        CompletionStage<SendResult> repeat = fixture.send("c1", "m1");
        CompletionStage<SendResult> changed = fixture.send(SendRequest.of("c1", "ann", "m1", "another body"));
        CompletionStage<SendResult> fresh = fixture.send("c1", "m2");
        fixture.run();
        assertThat(stored(repeat))
                .isEqualTo(new SendResult.Stored("c1", 1, "m1", stored(first).storedAt(), true));
        assertThat(code(changed)).isEqualTo(ErrorCode.CONFLICT);
        assertThat(code(fresh)).isEqualTo(ErrorCode.NOT_A_MEMBER);
    }

    @Test
    void aStoreThatCannotLookARepeatUpRefusesThatOneOnly() {
        fixture.store.failFinds(ScriptedMessageStore.fault(StorageException.Kind.UNAVAILABLE));
        CompletionStage<SendResult> eve = fixture.send(SendRequest.of("c1", "eve", "m1", "x"));
        CompletionStage<SendResult> ann = fixture.send("c1", "m1");
        fixture.run();
        assertThat(code(eve)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(stored(ann).seq()).isEqualTo(1);
    }

    @Test
    void aBatchAsksOnceAndAboutEverybodyOnce() {
        List<Collection<MemberKey>> asked = new ArrayList<>();
        SendPipeline pipeline = over(new Directory() {
            @Override
            public Map<MemberKey, Visibility> visibility(Collection<MemberKey> keys) {
                asked.add(List.copyOf(keys));
                return fixture.members.visibility(keys);
            }
        });
        for (int i = 1; i <= 100; i++) {
            pipeline.send(SendRequest.of("c" + (1 + i % 2), "ann", "m" + i, "x"));
        }
        fixture.run();
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).containsExactlyInAnyOrder(new MemberKey("c1", "ann"), new MemberKey("c2", "ann"));
    }

    @Test
    void aDirectoryThatThrowsMakesTheSendUnavailableAndTheLaneGoesOn() {
        boolean[] broken = {true};
        SendPipeline pipeline = over(new Directory() {
            @Override
            public Map<MemberKey, Visibility> visibility(Collection<MemberKey> keys) {
                if (broken[0]) {
                    throw new IllegalStateException("the host's");
                }
                return fixture.members.visibility(keys);
            }
        });
        try (Logs logs = new Logs()) {
            for (int i = 0; i < 5; i++) {
                CompletionStage<SendResult> stage = pipeline.send(SendRequest.of("c1", "ann", "m1", "x"));
                fixture.run();
                assertThat(code(stage)).isEqualTo(ErrorCode.UNAVAILABLE);
                assertThat(refused(stage).retryAfter()).isPositive();
            }
            assertThat(logs.lines()).hasSize(1);
        }
        broken[0] = false;
        CompletionStage<SendResult> next = pipeline.send(SendRequest.of("c1", "ann", "m1", "x"));
        fixture.run();
        assertThat(stored(next).seq()).isEqualTo(1);
    }

    @Test
    void aDirectoryThatForgetsToAnswerHasSaidNo() {
        SendPipeline pipeline = over(new Directory() {
            @Override
            public Map<MemberKey, Visibility> visibility(Collection<MemberKey> keys) {
                return Map.of();
            }
        });
        CompletionStage<SendResult> stage = pipeline.send(SendRequest.of("c1", "ann", "m1", "x"));
        fixture.run();
        assertThat(code(stage)).isEqualTo(ErrorCode.NOT_A_MEMBER);
    }

    private SendPipeline over(ConversationDirectory directory) {
        SendPipeline pipeline = SendPipeline.over(
                        fixture.store, directory, new Threads(fixture.time, fixture.time, fixture.time))
                .policy(SendPolicy.defaults().withLanes(1))
                .listener(fixture.listener)
                .build();
        pipeline.start();
        return pipeline;
    }

    private abstract static class Directory implements ConversationDirectory {

        @Override
        public KeyPage<Member> members(String conversation, String after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyPage<String> conversations(String user, String after, int limit) {
            throw new UnsupportedOperationException();
        }
    }
}
