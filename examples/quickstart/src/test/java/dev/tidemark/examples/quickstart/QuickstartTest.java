package dev.tidemark.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.StoredMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuickstartTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void theStoryEndsWithEverythingRenderedOnceAndInOrder() throws IOException {
        int lines = Transcript.bundled().lines().size();

        assertThat(run()).isZero();

        assertThat(lines).isGreaterThanOrEqualTo(300);
        assertThat(printed().lines().reduce((first, second) -> second))
                .hasValueSatisfying(last -> assertThat(last)
                        .startsWith("quickstart: stored=" + lines + " ")
                        .endsWith(" lost=0 duplicated=0 out-of-order=0"));
        assertThat(printed())
                .contains("sent twice with the same id and stored once")
                .doesNotContain("wrong");
    }

    @Test
    void aTranscriptOfOnesOwnIsPlayed(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("own.jsonl");
        Files.writeString(file, """
                {"conversation":"c/1","sender":"zoe","messageId":"1","text":"alone here"}
                {"conversation":"c 2","sender":"ärzte ","messageId":"1","text":""}
                """);

        assertThat(run(file.toString())).isZero();
        assertThat(printed()).contains("stored=2 ").contains("lost=0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"conversation\":\"c\",\"sender\":\"s\",\"text\":\"t\"} | line 1: messageId: expected a string",
                "{\"conversation\":\"c\",\"sender\":7,\"messageId\":\"m\",\"text\":\"t\"} | line 1: sender: expected a string",
                "{\"conversation\": | line 1: expected a JSON object",
                "`` | expected at least one line"
            })
    void aWrongTranscriptIsNamedByLineAndField(String content, String expected, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("wrong.jsonl");
        Files.writeString(file, content);

        assertThat(run(file.toString())).isEqualTo(2);
        assertThat(printed()).contains("wrong.jsonl").contains(expected).hasLineCount(1);
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        assertThat(run("nowhere.jsonl")).isEqualTo(2);
        assertThat(printed()).isEqualToIgnoringNewLines("nowhere.jsonl: expected a readable file of JSON lines");
    }

    @Test
    void theVerdictSeesWhatIsLostDoubledAndSwapped() {
        Transcript transcript = new Transcript(
                List.of(new Line("c", "s", "1", "a"), new Line("c", "s", "2", "b"), new Line("c", "s", "3", "c")));
        List<StoredMessage> right = new ArrayList<>();
        transcript.lines().forEach(line -> right.add(rendered(line, right.size() + 1)));
        List<StoredMessage> lost = right.subList(0, 2);
        List<StoredMessage> doubled = new ArrayList<>(right);
        doubled.add(right.get(2));
        List<StoredMessage> swapped = new ArrayList<>(right);
        Collections.swap(swapped, 0, 1);

        assertThat(Verdict.of(transcript, List.of(right))).isEqualTo(new Verdict(0, 0, 0));
        assertThat(Verdict.of(transcript, List.of(lost))).isEqualTo(new Verdict(1, 0, 0));
        assertThat(Verdict.of(transcript, List.of(doubled))).isEqualTo(new Verdict(0, 1, 0));
        assertThat(Verdict.of(transcript, List.of(swapped))).isEqualTo(new Verdict(0, 0, 1));
        assertThat(Verdict.of(transcript, List.of(right, List.of()))).isEqualTo(new Verdict(3, 0, 0));
    }

    private static StoredMessage rendered(Line line, long seq) {
        return new StoredMessage(
                line.conversation(),
                seq,
                line.sender(),
                line.messageId(),
                "text",
                true,
                Body.of(line.text()),
                0,
                Instant.EPOCH);
    }

    private int run(String... args) throws IOException {
        return Quickstart.run(args, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
