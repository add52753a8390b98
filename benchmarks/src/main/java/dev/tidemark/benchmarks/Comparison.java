package dev.tidemark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link SendBenchmark} side by side: the designs take short turns, round by round, in one process on the same servers,
 * so that a machine whose speed varies is the same for all of them. A ratio is the median of the ratios within a round. Exits
 * with 1 when anything was stored wrong or a reader met a hole.
 *
 * <p>Arguments: the number of rounds, 7 by default; then, if not all of them, the number of conversations.
 */
public final class Comparison {

    private static final List<Case> CASES = List.of(
            new Case(1, 0, SendDesign.Name.LITERAL),
            new Case(1, 0, SendDesign.Name.CEILING),
            new Case(1, 0, SendDesign.Name.TIDEMARK),
            new Case(100, 0, SendDesign.Name.LITERAL),
            new Case(100, 0, SendDesign.Name.LITERAL_CACHED),
            new Case(100, 0, SendDesign.Name.LITERAL_ROW),
            new Case(100, 0, SendDesign.Name.CEILING),
            new Case(100, 0, SendDesign.Name.TIDEMARK),
            new Case(100, 0.01, SendDesign.Name.TIDEMARK),
            new Case(100, 0, SendDesign.Name.TIDEMARK_HANDING_OVER),
            new Case(100, 0, SendDesign.Name.TIDEMARK_3_NODES),
            new Case(10_000, 0, SendDesign.Name.LITERAL),
            new Case(10_000, 0, SendDesign.Name.CEILING),
            new Case(10_000, 0, SendDesign.Name.TIDEMARK));

    private final Map<Case, List<Measured>> results = new LinkedHashMap<>();
    private boolean failed;

    private Comparison() {}

    /** Runs the comparison. */
    public static void main(String[] args) throws IOException, RunnerException {
        int rounds = args.length == 0 ? 7 : Integer.parseInt(args[0]);
        List<Case> cases = CASES.stream()
                .filter(one -> args.length < 2 || one.conversations() == Integer.parseInt(args[1]))
                .toList();
        Comparison comparison = new Comparison();
        Path report = Files.createTempFile("tidemark-benchmark", ".txt");
        System.setProperty(SendBenchmark.REPORT, report.toString());
        try (Servers servers = new Servers()) {
            servers.announce();
            for (int round = 1; round <= rounds; round++) {
                for (Case one : cases) {
                    comparison.run(one, report);
                    System.out.printf(Locale.ROOT, "round %d of %d: %s%n", round, rounds, comparison.last(one));
                }
            }
        } finally {
            Files.delete(report);
        }
        comparison.print();
        System.exit(comparison.failed ? 1 : 0);
    }

    private void run(Case one, Path report) throws IOException, RunnerException {
        Options options = new OptionsBuilder()
                .include(SendBenchmark.class.getName())
                .param("design", one.design().name())
                .param("conversations", String.valueOf(one.conversations()))
                .param("repeats", String.valueOf(one.repeats()))
                .forks(0)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        double score = new Runner(options).runSingle().getPrimaryResult().getScore();
        Measured measured = Measured.of(score, Files.readString(report));
        // The literal design is known to leave holes; they are what it is compared for.
        failed |= !measured.wrong().isEmpty()
                || (measured.holes() > 0 && one.design().isTidemark());
        results.computeIfAbsent(one, key -> new ArrayList<>()).add(measured);
    }

    private String last(Case one) {
        List<Measured> measured = results.getOrDefault(one, List.of());
        return one + ": " + measured.get(measured.size() - 1);
    }

    private void print() {
        System.out.println();
        System.out.println("| conversations | repeats | design | messages/s | spread | p50 ms | p99 ms | of literal |"
                + " of cached | of row | of ceiling | holes |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
        results.forEach((one, measured) -> {
            Measured median = median(measured);
            System.out.printf(
                    Locale.ROOT,
                    "| %,d | %.0f %% | %s | %,.0f | %.0f %% | %.1f | %.1f | %s | %s | %s | %s | %s |%n",
                    one.conversations(),
                    one.repeats() * 100,
                    one.design().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    median.rate(),
                    spread(measured) * 100,
                    median.p50(),
                    median.p99(),
                    ratio("%.1f", one, SendDesign.Name.LITERAL),
                    ratio("%.1f", one, SendDesign.Name.LITERAL_CACHED),
                    ratio("%.1f", one, SendDesign.Name.LITERAL_ROW),
                    ratio("%.2f", one, SendDesign.Name.CEILING),
                    one.isCeiling() ? "-" : String.format(Locale.ROOT, "%,d", holes(measured)));
        });
        results.forEach((one, measured) -> measured.stream()
                .filter(run -> !run.wrong().isEmpty())
                .forEach(run -> System.out.println("FAILED: " + one + ": " + run.wrong())));
    }

    private String ratio(String format, Case one, SendDesign.Name rival) {
        List<Measured> rivals = results.get(new Case(one.conversations(), 0, rival));
        if (rivals == null) {
            return "-";
        }
        List<Measured> own = results.getOrDefault(one, List.of());
        double[] ratios = IntStream.range(0, own.size())
                .mapToDouble(round -> own.get(round).rate() / rivals.get(round).rate())
                .sorted()
                .toArray();
        return String.format(Locale.ROOT, format, ratios[ratios.length / 2]);
    }

    private static Measured median(List<Measured> measured) {
        return measured.stream()
                .sorted(Comparator.comparingDouble(Measured::rate))
                .toList()
                .get(measured.size() / 2);
    }

    private static double spread(List<Measured> measured) {
        double max = measured.stream().mapToDouble(Measured::rate).max().orElse(0);
        double min = measured.stream().mapToDouble(Measured::rate).min().orElse(0);
        return (max - min) / median(measured).rate();
    }

    private static long holes(List<Measured> measured) {
        return measured.stream().mapToLong(Measured::holes).sum();
    }

    private record Case(int conversations, double repeats, SendDesign.Name design) {

        boolean isCeiling() {
            return design == SendDesign.Name.CEILING;
        }
    }

    private record Measured(double rate, double p50, double p99, long holes, String wrong) {

        static Measured of(double rate, String report) {
            String[] parts = report.split(" ", 4);
            return new Measured(
                    rate,
                    Double.parseDouble(parts[0]),
                    Double.parseDouble(parts[1]),
                    Long.parseLong(parts[2]),
                    parts[3].trim());
        }
    }
}
