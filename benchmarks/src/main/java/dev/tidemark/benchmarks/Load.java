package dev.tidemark.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Senders that keep a number of messages in flight: a message is sent as soon as another is acknowledged. One thread calls
 * {@link #sendOne()}.
 */
final class Load implements AutoCloseable {

    /** Messages in flight. */
    static final int IN_FLIGHT = 256;

    /** Users who write to one conversation. */
    private static final int SENDERS = 16;

    /** How far back a repeat reaches, in messages: beyond what is in flight, so that its first is acknowledged. */
    private static final int REPEATABLE = 1024;

    private static final long MAX_MICROS = 60_000_000;

    private final SendDesign design;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final int conversations;
    private final double repeats;
    private final Random random = new Random(1);
    private final long[] seqs;
    private final Message[] sent = new Message[REPEATABLE];
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT);
    private final ConcurrentHistogram micros = new ConcurrentHistogram(MAX_MICROS, 3);
    private final LongAdder acknowledged = new LongAdder();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private long distinct;

    Load(SendDesign.Name name, int conversations, double repeats) {
        this.conversations = conversations;
        this.repeats = repeats;
        this.seqs = new long[conversations];
        Servers.emptyTables(pool());
        this.design = switch (name) {
            case LITERAL -> new LiteralDesign(pools.get(0), Servers.redisPort());
            case CEILING -> new CeilingDesign(pools.get(0));
            case TIDEMARK -> new TidemarkDesign(List.of(pools.get(0)), directory());
            case TIDEMARK_3_NODES -> new TidemarkDesign(List.of(pools.get(0), pool(), pool()), directory());
        };
    }

    private HikariDataSource pool() {
        HikariDataSource pool = Servers.pool(16);
        pools.add(pool);
        return pool;
    }

    /** Sends a message as soon as fewer than {@value #IN_FLIGHT} are in flight. */
    void sendOne() {
        inFlight.acquireUninterruptibly();
        long begin = System.nanoTime();
        design.send(next(), fault -> {
            micros.recordValue(Math.min(MAX_MICROS, (System.nanoTime() - begin) / 1000));
            if (fault != null && faults.size() < 3) {
                faults.add(fault);
            }
            acknowledged.increment();
            inFlight.release();
        });
    }

    private Message next() {
        if (distinct >= REPEATABLE && random.nextDouble() < repeats) {
            // The oldest ones: nothing of them is in flight any more.
            return sent[(int) ((distinct + random.nextInt(REPEATABLE / 2)) % REPEATABLE)];
        }
        int conversation = random.nextInt(conversations);
        Message message = new Message(
                conversation, sender(conversation, random.nextInt(SENDERS)), "m" + distinct, ++seqs[conversation]);
        sent[(int) (distinct++ % REPEATABLE)] = message;
        return message;
    }

    private static String sender(int conversation, int index) {
        return "user-" + (conversation * 7 + index) % 256;
    }

    private InMemoryConversationDirectory directory() {
        InMemoryConversationDirectory directory = new InMemoryConversationDirectory();
        for (int conversation = 0; conversation < conversations; conversation++) {
            for (int i = 0; i < SENDERS; i++) {
                directory.join(Message.conversationId(conversation), sender(conversation, i), 1);
            }
        }
        return directory;
    }

    long acknowledged() {
        return acknowledged.sum();
    }

    /** How many different messages were sent. */
    long stored() {
        return distinct;
    }

    /** Forgets the latencies so far: those of warming up. */
    void forgetLatencies() {
        micros.reset();
    }

    double millisAt(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    /** Waits until nothing is in flight, and says what is wrong with what was stored; empty when it is right. */
    List<String> finish(SendDesign.Name name) {
        inFlight.acquireUninterruptibly(IN_FLIGHT);
        inFlight.release(IN_FLIGHT);
        List<String> wrong = new ArrayList<>(faults);
        wrong.addAll(StoredRows.check(pools.get(0), name, distinct));
        return wrong;
    }

    HikariDataSource dataSource() {
        return pools.get(0);
    }

    @Override
    public void close() {
        design.close();
        pools.forEach(HikariDataSource::close);
    }
}
