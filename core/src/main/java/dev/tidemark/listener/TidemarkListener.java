package dev.tidemark.listener;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.Session;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Told of what the services do, for meters and logs. Every method does nothing by default.
 *
 * <p>Methods are called on the services' own threads, several at once, and on the path of the work they tell of: they must
 * be safe for use by many threads and must not block. One that throws is contained and logged (H28).
 *
 * <p><b>What may be lost.</b> Events are told once, after the fact, and are not stored: when the process dies between a
 * fact and its event, nobody is told of it again. So {@link #committed} may miss messages that are stored, and counts
 * derived from events are for observation, never for deciding anything.
 */
public interface TidemarkListener {

    /** A listener that listens to nothing. */
    TidemarkListener NONE = new TidemarkListener() {};

    /**
     * A send was found right, was not too fast, and waits in its lane now. May be lost in a crash, as may the send itself: its
     * client has no answer then, and repeats it.
     *
     * @param lane the send lane
     * @param underWay how many sends are under way in it, this one included
     */
    default void sendQueued(int lane, int underWay) {}

    /**
     * A lane has taken a batch out of its queue. May be lost in a crash.
     *
     * @param lane the send lane
     * @param rows how many messages the batch has
     * @param waited how long the first of them had been waiting
     */
    default void batchTaken(int lane, int rows, Duration waited) {}

    /**
     * The directory and the host's authorizer gave their answers for a batch. May be lost in a crash.
     *
     * @param rows how many messages they were asked about
     * @param refused how many of them were decided here: those that may not be sent, and known repeats
     * @param took how long that took
     */
    default void batchAuthorized(int rows, int refused, Duration took) {}

    /**
     * The store gave its answer to a batch of messages. Repeats, conflicts and rejected messages count as rows too. May be
     * lost in a crash.
     *
     * @param lane the send lane
     * @param rows how many messages the batch had
     * @param took how long the store took
     */
    default void committed(int lane, int rows, Duration took) {}

    /**
     * A send has succeeded: its message is stored, and its caller is being told. May be lost in a crash; then the client
     * repeats it.
     *
     * @param conversation where the message is
     * @param seq its sequence
     * @param duplicate whether it was stored before
     * @param took how long that took since the send was accepted
     */
    default void sendStored(String conversation, long seq, boolean duplicate, Duration took) {}

    /**
     * A send was refused, at whatever step. Not told of sends that were refused because the pipeline is closed. May be lost
     * in a crash.
     *
     * @param conversation where the message should have gone; empty when the request named none
     * @param code why
     */
    default void sendRefused(String conversation, ErrorCode code) {}

    /**
     * Optional work is left out from now on, or is taken up again: by the load, or by hand. May be lost in a crash.
     *
     * @param partition whose load it is; 0 where the message store has no partitions
     * @param work the name of the {@code OptionalWork}
     * @param leftOut whether it is left out
     */
    default void workLeftOut(int partition, String work, boolean leftOut) {}

    /**
     * A send lane no longer holds messages back for company, since they come faster than it stores them; or does so again,
     * since nothing waits. Not told of a linger that is off, or of what was set by hand. May be lost in a crash.
     *
     * @param lane the send lane
     * @param suspended whether messages are taken at once
     */
    default void lingerSuspended(int lane, boolean suspended) {}

    /**
     * A conversation is locked by somebody else, so its messages wait (H41). Told at every attempt. May be lost in a crash.
     *
     * @param conversation the conversation
     * @param deferrals how many attempts in a row met the lock
     */
    default void conversationDeferred(String conversation, int deferrals) {}

    /**
     * It is not known whether a batch was stored; it is replayed until it is (H6). Told at every attempt. May be lost in a
     * crash: then the clients' own repeats find out.
     *
     * @param lane the send lane
     * @param rows how many messages the batch has
     * @param attempts how many attempts ended like this in a row
     */
    default void outcomeUnknown(int lane, int rows, int attempts) {}

    /**
     * A transaction of the host's, which messages had joined, has ended as committed, and the store was asked for them. May
     * be lost in a crash.
     *
     * @param messages how many messages had joined it
     * @param stored how many of them are stored; fewer mean that the transaction was rolled back, to a savepoint at least
     */
    default void joinedSettled(int messages, int stored) {}

    /**
     * Messages were put into conversation lists. May be lost in a crash.
     *
     * @param messages how many messages
     * @param entries how many entries of lists that changed
     * @param took how long the inbox store took
     */
    default void indexed(int messages, int entries, Duration took) {}

    /**
     * Messages were not put into conversation lists; these are mended when they are read. May be lost in a crash.
     *
     * @param conversation where the messages are
     * @param messages how many messages
     * @param reason why
     */
    default void notIndexed(String conversation, int messages, IndexDrop reason) {}

    /**
     * The transport took a push. Whether it reached the device is not known. May be lost in a crash.
     *
     * @param session whose connection
     * @param conversation the message's conversation
     * @param seq the message's sequence
     */
    default void pushDelivered(Session session, String conversation, long seq) {}

    /**
     * The transport threw. The device is told to sync a second later. May be lost in a crash.
     *
     * @param session whose connection
     * @param conversation the message's conversation
     * @param seq the message's sequence
     * @param error what the transport threw
     */
    default void pushFailed(Session session, String conversation, long seq, Throwable error) {}

    /**
     * A push was given up before a transport saw it. The devices get the message by their next fetch. May be lost in a
     * crash, as may the push itself.
     *
     * @param conversation the message's conversation
     * @param seq the message's sequence
     * @param devices how many devices it was dropped for; 0 when that was not found out yet, so: any number
     * @param reason why
     */
    default void pushDropped(String conversation, long seq, int devices, PushDrop reason) {}

    /**
     * A push is made once more, since its device did not acknowledge it. May be lost in a crash, as may the try itself.
     *
     * @param session whose connection
     * @param conversation the message's conversation
     * @param seq the message's sequence
     * @param tries how many tries that makes
     */
    default void pushRetried(Session session, String conversation, long seq, int tries) {}

    /**
     * A device acknowledged a push that was waited for, or rendered its message. May be lost in a crash.
     *
     * @param session whose connection
     * @param conversation the message's conversation
     * @param seq the message's sequence
     * @param tries how many tries there had been
     */
    default void pushAcknowledged(Session session, String conversation, long seq, int tries) {}

    /**
     * A push was tried as often as it may be, or too many wait for an acknowledgement; the device is told to sync. May be lost
     * in a crash.
     *
     * @param session whose connection
     * @param conversation the message's conversation
     * @param seq the message's sequence
     * @param tries how many tries there had been; 0 when too many wait
     */
    default void pushGivenUp(Session session, String conversation, long seq, int tries) {}

    /**
     * The transport took word for a device that there is something to fetch. May be lost in a crash, as may the word itself.
     *
     * @param session whose connection
     * @param conversation where to fetch; null for everywhere
     * @param upTo the highest sequence there was word of; 0 for everywhere
     */
    default void noticed(Session session, @Nullable String conversation, long upTo) {}

    /**
     * The transport threw at such word. The device syncs when it connects again. May be lost in a crash.
     *
     * @param session whose connection
     * @param conversation where to fetch; null for everywhere
     * @param upTo the highest sequence there was word of; 0 for everywhere
     * @param error what the transport threw
     */
    default void noticeFailed(Session session, @Nullable String conversation, long upTo, Throwable error) {}

    /**
     * A message was handed over to the host, since none of the recipient's devices is connected. May be lost in a crash, as
     * may the hand-over.
     *
     * @param user the recipient
     * @param conversation the message's conversation
     * @param seq the message's sequence
     */
    default void handedOver(String user, String conversation, long seq) {}

    /**
     * A page was served. May be lost in a crash.
     *
     * @param conversation the conversation
     * @param messages how many messages it has
     * @param took how long the reads took
     */
    default void pageServed(String conversation, int messages, Duration took) {}

    /**
     * A burst of acknowledgements was settled. May be lost in a crash.
     *
     * @param acknowledgements how many there were
     * @param moved how many cursors that moved
     * @param took how long the stores took
     */
    default void acknowledged(int acknowledgements, int moved, Duration took) {}

    /**
     * A listener that passes everything on to another one and contains what that one throws: it is logged, at
     * first at once and then once a minute with a count (H28). The services wrap what they are given themselves.
     *
     * @param listener whom to pass on to
     * @param nanoTime the passing of time, in nanoseconds
     * @return the wrapper, or {@code listener} itself when it needs none
     */
    static TidemarkListener contained(TidemarkListener listener, LongSupplier nanoTime) {
        return listener == NONE || listener instanceof ContainedListener
                ? listener
                : new ContainedListener(listener, nanoTime);
    }
}
