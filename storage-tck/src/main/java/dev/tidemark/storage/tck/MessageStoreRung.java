package dev.tidemark.storage.tck;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What every rung of {@link MessageStoreContract} stands on. */
abstract class MessageStoreRung extends MessageLogContract {

    private static final int MAX_TRIES = 1_000;
    private static final int MAX_WAITS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Override
    protected abstract MessageStoreFixture open() throws Exception;

    /**
     * What the fixture cannot do to its store. The tests that need it are not generated; that it really cannot is
     * tested.
     *
     * @return none by default
     */
    protected Set<Capability> missing() {
        return Set.of();
    }

    @Override
    MessageStoreFixture fixture() {
        return (MessageStoreFixture) super.fixture();
    }

    MessageStore store() {
        return fixture().store();
    }

    /** Appends on the store under test; the outcomes in words. */
    List<String> append(List<Draft> drafts) {
        return Outcomes.of(store().append(drafts));
    }

    /** Appends on the store under test; the outcomes in words. */
    List<String> append(Draft... drafts) {
        return append(List.of(drafts));
    }

    /** Appends on a new instance, as another node does; the outcomes in words. */
    List<String> appendElsewhere(Draft... drafts) {
        return Outcomes.of(fixture().another().append(List.of(drafts)));
    }

    /** Appends until nothing is deferred any more, as the pipeline does: at first without delay, then with patience. */
    static List<AppendResult> appendUntilSettled(MessageStore store, List<Draft> drafts, Duration wait)
            throws InterruptedException {
        for (int tries = 0; tries < MAX_TRIES + MAX_WAITS; tries++) {
            List<AppendResult> results = store.append(drafts, tries < MAX_TRIES ? wait : PATIENCE);
            if (results.stream().noneMatch(Outcomes::isDeferred)) {
                return results;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("the test is over");
            }
            if (!wait.isZero()) {
                tries += MAX_TRIES / MAX_WAITS;
            }
        }
        throw new AssertionError("still deferred, again and again: somebody kept a lock");
    }

    /** All messages of a conversation with at most {@link MessageLog#MAX_LIMIT} of them, as another node reads them. */
    List<StoredMessage> rows(String conversation) {
        return fixture().another().after(conversation, 0, MessageLog.MAX_LIMIT).messages();
    }

    /** The ids of all messages of a conversation, in order. */
    List<String> ids(String conversation) {
        return rows(conversation).stream().map(StoredMessage::messageId).toList();
    }

    /** The head of a conversation as another node reads it. */
    Head head(String conversation) {
        Head head = fixture().another().heads(List.of(conversation)).get(conversation);
        if (head == null) {
            throw new AssertionError("heads() has no entry for " + conversation);
        }
        return head;
    }
}
