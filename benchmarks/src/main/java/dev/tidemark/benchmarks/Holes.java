package dev.tidemark.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Counts the messages that a reader who follows its cursor skips for ever, in the literal design and in Tidemark, and prints
 * the table. Exits with 1 when Tidemark has left a hole.
 *
 * <p>Argument: the messages per run, 40,000 by default.
 */
public final class Holes {

    private static final List<SendDesign.Name> DESIGNS =
            List.of(SendDesign.Name.LITERAL, SendDesign.Name.TIDEMARK, SendDesign.Name.TIDEMARK_3_NODES);

    private Holes() {}

    /** Counts the holes. */
    public static void main(String[] args) throws IOException {
        int messages = args.length == 0 ? 40_000 : Integer.parseInt(args[0]);
        boolean failed = false;
        try (Servers servers = new Servers()) {
            servers.announce();
            System.out.println("| conversations | design | messages | skipped for ever | |");
            System.out.println("|---|---|---|---|---|");
            for (int conversations : new int[] {1, 16, 100}) {
                for (SendDesign.Name design : DESIGNS) {
                    long skipped = count(design, conversations, messages);
                    failed |= skipped > 0 && design != SendDesign.Name.LITERAL;
                    System.out.printf(
                            Locale.ROOT,
                            "| %d | %s | %,d | %,d | %.1f %% |%n",
                            conversations,
                            design.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                            messages,
                            skipped,
                            100.0 * skipped / messages);
                }
            }
        }
        System.exit(failed ? 1 : 0);
    }

    /** How many of the messages a reader skips for ever. */
    static long count(SendDesign.Name design, int conversations, int messages) {
        try (Load load = new Load(design, conversations, 0)) {
            FollowingReader reader = new FollowingReader(load.dataSource(), conversations, 0);
            load.start(messages);
            load.awaitAll();
            List<String> wrong = load.finish(design);
            long seen = reader.stop();
            if (!wrong.isEmpty()) {
                throw new IllegalStateException(String.join("; ", wrong));
            }
            return messages - seen;
        }
    }
}
