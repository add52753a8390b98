package dev.tidemark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * Acknowledged messages per second with 256 in flight. An operation is one message that was acknowledged; the
 * senders run by themselves, and the one benchmark thread waits for a thousand at a time.
 *
 * <p>A reader follows its cursors meanwhile. After the run the table is checked; what is wrong, the holes the reader met, and
 * the latencies go to the file named by {@value #REPORT}.
 */
@NullUnmarked // JMH fills the fields.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(1)
@Fork(1)
@Warmup(iterations = 1, time = 1)
@Measurement(iterations = 1, time = 4)
public class SendBenchmark {

    static final String REPORT = "tidemark.benchmark.report";

    private static final long READER_PAUSE_MICROS = 2_000;

    private static final long COMPILING_SECONDS = 12;

    /** What this process has compiled, where it runs more than one design. */
    private static final Set<SendDesign.Name> COMPILED = ConcurrentHashMap.newKeySet();

    /** The messages of one invocation: enough that waking the waiting thread does not count. */
    private static final int MESSAGES = 1_000;

    /** The design. */
    @Param({"LITERAL", "CEILING", "TIDEMARK"})
    public SendDesign.Name design;

    /** How many conversations the messages go to, evenly. */
    @Param({"1", "100", "10000"})
    public int conversations;

    /** The share of messages that are repeats of earlier ones. */
    @Param("0")
    public double repeats;

    private Load load;
    private FollowingReader reader;
    private boolean measuring;

    /** For JMH. */
    public SendBenchmark() {}

    /**
     * Lets the design run until it is compiled, since two compiler threads take what two processors have to give; then starts
     * it again on empty tables, so that the measured messages go into tables of the same size for all.
     */
    @Setup(Level.Trial)
    public void start() throws InterruptedException {
        if (COMPILED.add(design)) {
            compile();
        }
        load = new Load(design, conversations, repeats);
        reader = new FollowingReader(load.dataSource(), conversations, READER_PAUSE_MICROS);
        load.start(Long.MAX_VALUE);
    }

    private void compile() throws InterruptedException {
        try (Load compiling = new Load(design, conversations, repeats)) {
            compiling.start(Long.MAX_VALUE);
            TimeUnit.SECONDS.sleep(COMPILING_SECONDS);
            compiling.finish(design);
        }
    }

    /** Latencies of warming up do not count. */
    @Setup(Level.Iteration)
    public void begin(IterationParams iteration) {
        if (iteration.getType() == IterationType.MEASUREMENT && !measuring) {
            measuring = true;
            load.forgetLatencies();
        }
    }

    /** Waits for acknowledgements. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void send() {
        load.await(MESSAGES);
    }

    /** Checks what was stored and read. */
    @TearDown(Level.Trial)
    public void finish() throws IOException {
        List<String> wrong = load.finish(design);
        long stored = load.stored();
        long holes = stored - reader.stop();
        String report = String.format(
                Locale.ROOT, "%.2f %.2f %d %s", load.millisAt(50), load.millisAt(99), holes, String.join("; ", wrong));
        load.close();
        String file = System.getProperty(REPORT);
        if (file != null) {
            Files.writeString(Path.of(file), report);
        }
    }
}
