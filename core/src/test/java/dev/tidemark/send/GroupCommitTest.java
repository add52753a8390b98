package dev.tidemark.send;

import static dev.tidemark.send.SendFixture.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Draft;
import dev.tidemark.testing.ScriptedMessageStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GroupCommitTest {

    @Test
    void aLoneMessageNeverWaits() {
        SendFixture fixture = new SendFixture();
        CompletionStage<SendResult> stage = fixture.send("c1", "m1");
        fixture.run();
        assertThat(stored(stage).seq()).isEqualTo(1);
    }

    @Test
    void whatComesDuringACommitIsTheNextBatch() {
        SendFixture fixture = new SendFixture();
        fixture.store.next((real, drafts, wait) -> {
            for (int i = 2; i <= 10; i++) {
                fixture.send("c1", "m" + i);
            }
            return real.append(drafts, wait);
        });
        fixture.send("c1", "m1");
        fixture.run();
        assertThat(batches(fixture)).containsExactly(1, 9);
        assertThat(fixture.listener.events()).containsSubsequence("committed 1", "committed 9");
    }

    @Test
    void aBatchHasAtMostItsRows() {
        SendFixture fixture = fixture(BatchPolicy.defaults().withMaxRows(4));
        sendAll(fixture, "c1", 10);
        assertThat(batches(fixture)).containsExactly(4, 4, 2);
        assertThat(fixture.stored("c1")).containsExactlyElementsOf(ids(10));
    }

    @Test
    void aBatchHasAtMostItsBytesButAlwaysOneMessage() {
        SendFixture fixture = fixture(BatchPolicy.defaults().withMaxBytes(100));
        fixture.send(SendRequest.of("c1", "ann", "m1", new byte[60]));
        fixture.send(SendRequest.of("c1", "ann", "m2", new byte[40]));
        fixture.send(SendRequest.of("c1", "ann", "m3", new byte[1]));
        fixture.send(SendRequest.of("c1", "ann", "m4", new byte[500]));
        fixture.send(SendRequest.of("c1", "ann", "m5", new byte[1]));
        fixture.run();
        assertThat(batches(fixture)).containsExactly(2, 1, 1, 1);
        assertThat(fixture.stored("c1")).containsExactlyElementsOf(ids(5));
    }

    @Test
    void aBusyConversationIsFirstInLineAndHoldsUpNoOther() {
        SendFixture fixture = fixture(BatchPolicy.defaults().withMaxRows(8).withMaxPerConversation(2));
        List<CompletionStage<SendResult>> stages = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            stages.add(fixture.send("c1", "m" + i));
        }
        CompletionStage<SendResult> other = fixture.send("c2", "m1");
        fixture.run();
        List<List<String>> batches = fixture.store.calls().stream()
                .map(call -> call.drafts().stream()
                        .map(draft -> draft.conversation() + draft.messageId())
                        .toList())
                .toList();
        assertThat(batches)
                .containsExactly(
                        List.of("c1m1", "c1m2", "c2m1"),
                        List.of("c1m3", "c1m4"),
                        List.of("c1m5", "c1m6"),
                        List.of("c1m7", "c1m8"),
                        List.of("c1m9"));
        assertThat(stored(other).seq()).isEqualTo(1);
        assertThat(stages).extracting(stage -> stored(stage).seq()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void manyBusyConversationsLeaveHalfOfABatchToTheOthers() {
        SendFixture fixture = fixture(BatchPolicy.defaults().withMaxRows(4).withMaxPerConversation(1));
        for (int c = 1; c <= 4; c++) {
            for (int i = 1; i <= 8; i++) {
                fixture.send("c" + c, "m" + i);
            }
        }
        List<CompletionStage<SendResult>> others = new ArrayList<>();
        for (int c = 5; c <= 12; c++) {
            others.add(fixture.send("c" + c, "m1"));
        }
        fixture.run();
        int last = 0;
        for (int i = 0; i < fixture.store.calls().size(); i++) {
            for (Draft draft : fixture.store.calls().get(i).drafts()) {
                if (Integer.parseInt(draft.conversation().substring(1)) > 4) {
                    last = i;
                }
            }
        }
        // Two of the others go with each batch, once the first is full of those who came first.
        assertThat(last).isEqualTo(5);
        assertThat(others).allSatisfy(stage -> assertThat(stored(stage).seq()).isEqualTo(1));
        for (int c = 1; c <= 4; c++) {
            assertThat(fixture.stored("c" + c)).containsExactlyElementsOf(ids(8));
        }
    }

    @Test
    @DisplayName("H42: order is kept whatever the limits are")
    void orderIsKeptWhateverTheLimitsAre() {
        for (int rows = 1; rows <= 6; rows++) {
            for (int perConversation = 1; perConversation <= 4; perConversation++) {
                SendFixture fixture = fixture(BatchPolicy.defaults()
                        .withMaxRows(rows)
                        .withMaxPerConversation(perConversation)
                        .withMaxBytes(25));
                for (int i = 1; i <= 12; i++) {
                    fixture.send("c1", "m" + i);
                    fixture.send("c" + (1 + i % 3), "n" + i);
                }
                fixture.run();
                assertThat(fixture.stored("c1").stream().filter(id -> id.startsWith("m")))
                        .containsExactlyElementsOf(ids(12));
                assertThat(fixture.pushed("c1")).isSorted().hasSize(16);
            }
        }
    }

    @Test
    void lanesWorkSideBySideAndAConversationHasOne() {
        SendFixture fixture = new SendFixture(SendPolicy.defaults().withLanes(4), BatchPolicy.defaults());
        for (int i = 1; i <= 3; i++) {
            for (int c = 1; c <= 20; c++) {
                fixture.send("c" + c, "m" + i);
            }
        }
        fixture.run();
        assertThat(fixture.store.calls()).hasSize(4);
        for (ScriptedMessageStore.Call call : fixture.store.calls()) {
            assertThat(call.drafts())
                    .allSatisfy(draft -> assertThat(call.drafts().stream()
                                    .filter(other -> other.conversation().equals(draft.conversation())))
                            .hasSize(3));
        }
    }

    private static SendFixture fixture(BatchPolicy policy) {
        return new SendFixture(SendPolicy.defaults().withLanes(1), policy);
    }

    private static void sendAll(SendFixture fixture, String conversation, int count) {
        ids(count).forEach(id -> fixture.send(conversation, id));
        fixture.run();
    }

    private static List<String> ids(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            ids.add("m" + i);
        }
        return ids;
    }

    private static List<Integer> batches(SendFixture fixture) {
        return fixture.store.calls().stream().map(call -> call.drafts().size()).toList();
    }
}
