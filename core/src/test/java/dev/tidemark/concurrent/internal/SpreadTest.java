package dev.tidemark.concurrent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void idsThatDifferInOneCharacterSpreadEvenly() {
        int[] lanes = new int[8];
        for (int i = 0; i < 80_000; i++) {
            lanes[Spread.over(("conversation-" + i).hashCode(), lanes.length)]++;
        }
        for (int count : lanes) {
            assertThat(count).isBetween(9_000, 11_000);
        }
    }

    @Test
    void everyHashHasALane() {
        for (int hash : new int[] {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE}) {
            for (int lanes = 1; lanes < 10; lanes++) {
                assertThat(Spread.over(hash, lanes)).isBetween(0, lanes - 1);
            }
        }
    }
}
