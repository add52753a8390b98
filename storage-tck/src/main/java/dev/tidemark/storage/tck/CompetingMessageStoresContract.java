package dev.tidemark.storage.tck;

import dev.tidemark.storage.MessageStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The contract of {@link dev.tidemark.storage.MessageStore} under competition: writers on different instances store
 * thousands of messages in batches, send the same ones, repeat each other's, while readers poll all the time. At the
 * end nothing is lost, doubled or out of order, every receipt is true, and no reader has ever seen a gap, half a batch,
 * or a head without its rows.
 *
 * <p>What is sent, to where and how often comes from a seed that a failure names; {@code -Dtidemark.seed=…} draws the
 * same again. The interleaving is the machine's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class CompetingMessageStoresContract {

    private MessageStoreFixture fixture;

    /** For subclasses. */
    protected CompetingMessageStoresContract() {}

    /**
     * Opens the store for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    protected abstract MessageStoreFixture open() throws Exception;

    /**
     * How many instances write at the same time; each uses at most one connection, or two.
     *
     * @return 4 by default
     */
    protected int writers() {
        return 4;
    }

    /**
     * How many instances read at the same time.
     *
     * @return 2 by default
     */
    protected int readers() {
        return 2;
    }

    @BeforeEach
    void openFixture() throws Exception {
        fixture = open();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    @ParameterizedTest(name = "{0} messages over {1} conversations, in batches of up to {2}")
    @DisplayName("H1, H2, H3, H5, H32, H42: nothing is lost, doubled or out of order, and no reader sees a gap")
    @CsvSource({"20000, 50, 64", "2000, 1, 8", "400, 400, 4"})
    void nothingIsLostDoubledOrOutOfOrderAndNoReaderSeesAGap(int messages, int conversations, int batch) {
        Seed.run(seed -> {
            Competition competition = new Competition(Fresh.ids("conversation", conversations), writers(), messages);
            List<CompetingWriter> writing = IntStream.range(0, writers())
                    .mapToObj(i -> {
                        MessageStore node = fixture.another(new RestlessClock(seed.random(-1 - i)));
                        return new CompetingWriter(competition, i, node, seed.random(i), batch);
                    })
                    .toList();
            List<CompetingReader> reading = IntStream.range(0, readers())
                    .mapToObj(i -> new CompetingReader(competition, fixture.another(), seed.random(writers() + i)))
                    .toList();

            competition.run(writing, reading);

            competition.check(fixture.another(), reading);
        });
    }
}
