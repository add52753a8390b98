package dev.tidemark.storage.tck;

/** A commit that stops where a node may stand still for long: everything is written, nothing committed. */
public interface Pause extends Hold {

    /**
     * Waits until a commit has stopped here.
     *
     * @throws InterruptedException when the waiting thread is interrupted
     */
    void awaitReached() throws InterruptedException;
}
