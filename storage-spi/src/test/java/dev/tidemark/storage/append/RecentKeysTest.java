package dev.tidemark.storage.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.MessageKey;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentKeysTest {

    private final RecentKeys keys = new RecentKeys();

    @Test
    void aKeyIsKnownTheSecondTime() {
        assertThat(keys.addOrSeen(key(1))).isFalse();
        assertThat(keys.addOrSeen(key(2))).isFalse();
        assertThat(keys.addOrSeen(key(1))).isTrue();
    }

    @Test
    void everyPartOfAKeyCounts() {
        keys.addOrSeen(new MessageKey("a", "b", "c"));

        assertThat(keys.addOrSeen(new MessageKey("b", "a", "c"))).isFalse();
        assertThat(keys.addOrSeen(new MessageKey("a", "c", "b"))).isFalse();
        assertThat(keys.addOrSeen(new MessageKey("a", "b", "d"))).isFalse();
    }

    /** Ids that are counted up have hash codes that differ by little: sums of them would be equal for one key in ten. */
    @Test
    void keysThatAreCountedUpAreNotTakenForEachOther() {
        assertThat(IntStream.range(0, 300_000)
                        .filter(i -> keys.addOrSeen(key(i)))
                        .count())
                .isLessThan(30);
    }

    @Test
    void mostOfTheLastHundredThousandAreRemembered() {
        IntStream.range(0, 300_000).forEach(i -> keys.addOrSeen(key(i)));

        assertThat(IntStream.range(200_000, 300_000)
                        .filter(i -> keys.addOrSeen(key(i)))
                        .count())
                .isGreaterThan(80_000);
    }

    private static MessageKey key(int number) {
        return new MessageKey("conversation-" + number % 100, "user-" + number % 31, "m" + number);
    }
}
