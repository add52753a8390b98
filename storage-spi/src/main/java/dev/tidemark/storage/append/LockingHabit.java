package dev.tidemark.storage.append;

/**
 * Chooses how to take locks by what was met lately. It begins as if nobody else wrote to the same conversations, which is
 * how most batches find it, and comes back to that after a while without having met anybody. Safe for use by many threads.
 */
final class LockingHabit {

    /** Batches to go without a cheaper way after it has failed: what failing costs is then lost among them. */
    private static final int SPELL = 1000;

    /** The same for passing over, which defers sends that would only have to wait for a moment. */
    private static final int SHORT_SPELL = 100;

    private Locking locking = Locking.ANY_ORDER;
    private int left;

    /** How the next batch is to take its locks. */
    synchronized Locking next() {
        if (left == 0 && locking != Locking.ANY_ORDER) {
            change(locking == Locking.PASSING_OVER ? Locking.IN_ORDER : Locking.ANY_ORDER);
        }
        left = Math.max(0, left - 1);
        return locking;
    }

    /** Taking locks in this way came to nothing. */
    synchronized void failed(Locking tried) {
        if (tried == locking && tried != Locking.PASSING_OVER) {
            change(tried == Locking.ANY_ORDER ? Locking.IN_ORDER : Locking.PASSING_OVER);
        }
    }

    private void change(Locking to) {
        locking = to;
        left = to == Locking.PASSING_OVER ? SHORT_SPELL : SPELL;
    }
}
