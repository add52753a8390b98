package dev.tidemark.storage.append;

import static dev.tidemark.storage.append.Locking.ANY_ORDER;
import static dev.tidemark.storage.append.Locking.IN_ORDER;
import static dev.tidemark.storage.append.Locking.PASSING_OVER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LockingHabitTest {

    private final LockingHabit habit = new LockingHabit();

    @Test
    void itBeginsAsIfAlone() {
        assertThat(habit.next()).isEqualTo(ANY_ORDER);
    }

    @Test
    void afterAFailureItGoesInOrderForASpell() {
        habit.failed(habit.next());

        assertThat(batchesUntil(ANY_ORDER, IN_ORDER)).isEqualTo(1000);
    }

    @Test
    void whoeverHoldsForLongIsPassedOverForAShorterSpell() {
        habit.failed(ANY_ORDER);
        habit.failed(IN_ORDER);

        assertThat(batchesUntil(IN_ORDER, PASSING_OVER)).isEqualTo(100);
        assertThat(batchesUntil(ANY_ORDER, IN_ORDER)).isEqualTo(999);
    }

    @Test
    void theLateFailureOfAnEarlierWayChangesNothing() {
        habit.failed(ANY_ORDER);
        habit.failed(ANY_ORDER);
        assertThat(habit.next()).isEqualTo(IN_ORDER);

        habit.failed(IN_ORDER);
        habit.failed(IN_ORDER);
        habit.failed(ANY_ORDER);
        habit.failed(PASSING_OVER);
        assertThat(habit.next()).isEqualTo(PASSING_OVER);
    }

    /** How many batches go the one way before the first that goes the other. */
    private int batchesUntil(Locking end, Locking meanwhile) {
        int batches = 0;
        for (Locking next = habit.next(); next != end; next = habit.next()) {
            assertThat(next).isEqualTo(meanwhile);
            batches++;
        }
        return batches;
    }
}
