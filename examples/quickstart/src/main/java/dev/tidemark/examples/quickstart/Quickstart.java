package dev.tidemark.examples.quickstart;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Runs the {@link Story}. Argument: the path of a transcript; the one that comes with the example by default. Exits with 0
 * when every device has rendered everything once and in order, with 1 when not, with 2 when the transcript cannot be read.
 */
public final class Quickstart {

    private Quickstart() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        int status = run(args, new PrintStream(System.out, true, StandardCharsets.UTF_8));
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String[] args, PrintStream out) throws IOException {
        Transcript transcript;
        try {
            transcript = args.length == 0 ? Transcript.bundled() : Transcript.of(Path.of(args[0]));
        } catch (TranscriptException e) {
            out.println(e.getMessage());
            return 2;
        }
        Path folder = Files.createTempDirectory("tidemark-quickstart");
        try {
            return new Story(transcript, folder.resolve("chat"), out).play() ? 0 : 1;
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
