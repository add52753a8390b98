package dev.tidemark.examples.quickstart;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is going to be said: one JSON object a line, with conversation, sender, messageId and text. Whoever says something
 * anywhere is a member of every conversation.
 *
 * @param lines in the order in which they are said
 */
record Transcript(List<Line> lines) {

    private static final String BUNDLED = "transcript.jsonl";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The transcript that comes with the example. */
    static Transcript bundled() {
        try (InputStream in = Objects.requireNonNull(Transcript.class.getResourceAsStream(BUNDLED), BUNDLED)) {
            return read(BUNDLED, in);
        } catch (IOException e) {
            throw new TranscriptException(BUNDLED + ": " + e.getMessage());
        }
    }

    /** A transcript of the reader's own. */
    static Transcript of(Path file) {
        if (!Files.isReadable(file)) {
            throw new TranscriptException(file + ": expected a readable file of JSON lines");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return read(file.toString(), in);
        } catch (IOException e) {
            throw new TranscriptException(file + ": " + e.getMessage());
        }
    }

    private static Transcript read(String name, InputStream in) throws IOException {
        List<Line> lines = new ArrayList<>();
        Map<Line, Integer> known = new HashMap<>();
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        int number = 0;
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
            String where = name + ", line " + ++number;
            if (!text.isBlank()) {
                Line line = parse(where, text);
                Integer first = known.put(new Line(line.conversation(), line.sender(), line.messageId(), ""), number);
                if (first != null) {
                    throw new TranscriptException(where + ": messageId: expected a new one, line " + first + " has "
                            + line.messageId() + " of " + line.sender() + " too");
                }
                lines.add(line);
            }
        }
        if (lines.isEmpty()) {
            throw new TranscriptException(name + ": expected at least one line");
        }
        return new Transcript(List.copyOf(lines));
    }

    private static Line parse(String where, String text) {
        JsonNode object;
        try {
            object = JSON.readTree(text);
        } catch (JacksonException e) {
            throw new TranscriptException(where + ": expected a JSON object, " + e.getOriginalMessage());
        }
        return new Line(
                field(where, object, "conversation"),
                field(where, object, "sender"),
                field(where, object, "messageId"),
                field(where, object, "text"));
    }

    private static String field(String where, JsonNode object, String name) {
        JsonNode value = object.get(name);
        if (value == null || !value.isTextual()) {
            throw new TranscriptException(where + ": " + name + ": expected a string");
        }
        return value.textValue();
    }

    SortedSet<String> users() {
        SortedSet<String> users = new TreeSet<>();
        lines.forEach(line -> users.add(line.sender()));
        return users;
    }

    SortedSet<String> conversations() {
        SortedSet<String> conversations = new TreeSet<>();
        lines.forEach(line -> conversations.add(line.conversation()));
        return conversations;
    }

    /** The lines of one conversation, in order. */
    List<Line> of(String conversation) {
        return lines.stream()
                .filter(line -> line.conversation().equals(conversation))
                .toList();
    }
}
