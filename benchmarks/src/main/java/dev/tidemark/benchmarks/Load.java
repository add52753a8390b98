package dev.tidemark.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Senders that keep a number of messages in flight: each sends its next message when its last one is acknowledged, on the
 * thread that acknowledges it. No thread is woken per message, which would cost more than some of the designs do.
 */
final class Load implements AutoCloseable {

    /** Messages in flight. */
    static final int IN_FLIGHT = 256;

    /** Users who write to one conversation. */
    private static final int SENDERS = 16;

    /** How far back a repeat reaches, in messages: beyond what is in flight, so that its first is acknowledged. */
    private static final int REPEATABLE = 1024;

    private static final long MAX_MICROS = 60_000_000;

    private static final long MAX_PARK_NANOS = 10_000_000;

    private final SendDesign design;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final int conversations;
    private final double repeats;
    private final Random random = new Random(1);
    private final long[] seqs;
    private final Message[] sent = new Message[REPEATABLE];
    private final Semaphore senders = new Semaphore(0);
    private final ConcurrentHistogram micros = new ConcurrentHistogram(MAX_MICROS, 3);
    private final AtomicLong acknowledged = new AtomicLong();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private long distinct;
    private long issued;
    private long limit = Long.MAX_VALUE;
    private volatile long awaited = Long.MAX_VALUE;
    private volatile @Nullable Thread waiter;

    Load(SendDesign.Name name, int conversations, double repeats) {
        this.conversations = conversations;
        this.repeats = repeats;
        this.seqs = new long[conversations];
        Servers.emptyTables(pool(), conversations);
        this.design = switch (name) {
            case LITERAL -> new LiteralDesign(pools.get(0), Servers.redisPort(), false);
            case LITERAL_CACHED -> new LiteralDesign(pools.get(0), Servers.redisPort(), true);
            case LITERAL_ROW -> new RowCounterDesign(pools.get(0));
            case CEILING -> new CeilingDesign(pools.get(0));
            case TIDEMARK -> new TidemarkDesign(List.of(pools.get(0)), directory(), false);
            case TIDEMARK_HANDING_OVER -> new TidemarkDesign(List.of(pools.get(0)), directory(), true);
            case TIDEMARK_3_NODES -> new TidemarkDesign(List.of(pools.get(0), pool(), pool()), directory(), false);
        };
    }

    private HikariDataSource pool() {
        HikariDataSource pool = Servers.pool(16);
        pools.add(pool);
        return pool;
    }

    /** Lets the senders begin; they go on until {@link #finish}, or until so many messages are sent. */
    void start(long messages) {
        limit = messages;
        for (int i = 0; i < IN_FLIGHT; i++) {
            sendNext();
        }
    }

    private void sendNext() {
        Message message;
        synchronized (this) {
            if (issued == limit) {
                senders.release();
                return;
            }
            issued++;
            message = next();
        }
        long begin = System.nanoTime();
        design.send(message, fault -> {
            micros.recordValue(Math.min(MAX_MICROS, (System.nanoTime() - begin) / 1000));
            if (fault != null && faults.size() < 3) {
                faults.add(fault);
            }
            if (acknowledged.incrementAndGet() == awaited) {
                LockSupport.unpark(waiter);
            }
            sendNext();
        });
    }

    /** Waits until so many more messages are acknowledged. */
    void await(int more) {
        waiter = Thread.currentThread();
        long target = acknowledged.get() + more;
        awaited = target;
        while (acknowledged.get() < target) {
            LockSupport.parkNanos(MAX_PARK_NANOS);
        }
    }

    /** Waits until all messages are acknowledged, of a load that was started with a limit. */
    void awaitAll() {
        senders.acquireUninterruptibly(IN_FLIGHT);
        senders.release(IN_FLIGHT);
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
        return acknowledged.get();
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

    /** Lets the senders end, waits until nothing is in flight, and says what is wrong with what was stored; empty when it is right. */
    List<String> finish(SendDesign.Name name) {
        synchronized (this) {
            limit = issued;
        }
        awaitAll();
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
