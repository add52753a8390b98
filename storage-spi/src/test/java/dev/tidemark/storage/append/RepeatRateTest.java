package dev.tidemark.storage.append;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepeatRateTest {

    private final RepeatRate rate = new RepeatRate();

    @Test
    void itDoesNotLookBeforeItHasSeenARepeat() {
        assertThat(rate.isLookFirst(512)).isFalse();
    }

    @Test
    void itLooksWhereABatchOfThatSizeProbablyHasOne() {
        observe(100, 1, 100);

        assertThat(rate.isLookFirst(1)).isFalse();
        assertThat(rate.isLookFirst(100)).isTrue();
    }

    @Test
    void itForgets() {
        observe(100, 1, 100);
        observe(200, 0, 100);

        assertThat(rate.isLookFirst(100)).isFalse();
    }

    private void observe(int batches, int repeats, int size) {
        for (int i = 0; i < batches; i++) {
            rate.observe(repeats, size);
        }
    }
}
