package dev.tidemark.storage.append;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoreLimits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Stores drafts as {@link dev.tidemark.storage.MessageStore#append(List, Duration)} promises, over the {@link
 * AppendPrimitives} of a database.
 *
 * <p>The rule that everything follows from: whoever writes to a conversation first locks its row, and only the holder of
 * that lock gives out numbers. So numbers are given in the order of commits, and a look-up of keys made under the lock sees
 * every message that could make a draft a repeat.
 *
 * <p>Where the database can do it in one round trip, a batch is first tried as if all of it were fresh and unlocked ({@link
 * AppendPrimitives#appendFresh}); whatever comes in the way undoes that attempt as a whole, and the careful way under locks
 * finds out what it was. Keys that were seen lately are looked up first, and all keys while many turn out to be repeats.
 *
 * <p>Safe for use by many threads.
 *
 * @param <T> a transaction
 */
public final class AppendAlgorithm<T> {

    /** Tries of a transaction that meets deadlocks or serialization failures, before that is reported as a fault. */
    private static final int MAX_FAILURES = 8;

    /** Rounds over conversations that are found to have no row; more than two mean that somebody deletes them. */
    private static final int MAX_ROUNDS = 3;

    /** Patience is for one conversation; a batch that was patient with so many held up all it had locked by then. */
    private static final long MAX_PATIENCE_NANOS = 10 * Locking.PATIENCE.toNanos();

    private final AppendPrimitives<T> primitives;
    private final Transactions<T> own;
    private final StoreLimits limits;
    private final Clock clock;
    private final Backoff backoff;
    private final RecentKeys recentKeys = new RecentKeys();
    private final RepeatRate repeatRate = new RepeatRate();
    private final LockingHabit lockingHabit = new LockingHabit();

    /**
     * Creates the algorithm.
     *
     * @param primitives the database
     * @param own runs transactions of its own
     * @param limits what the database can hold
     * @param clock gives the time a message is stored at
     * @param backoff pauses between tries
     */
    public AppendAlgorithm(
            AppendPrimitives<T> primitives, Transactions<T> own, StoreLimits limits, Clock clock, Backoff backoff) {
        this.primitives = primitives;
        this.own = own;
        this.limits = limits;
        this.clock = clock;
        this.backoff = backoff;
    }

    /** Appends in transactions of its own; see {@link dev.tidemark.storage.MessageStore#append(List, Duration)}. */
    public List<AppendResult> append(List<Draft> drafts, Duration wait) {
        if (wait.isNegative()) {
            throw new InvalidInputException("wait", "0 or more, was " + wait);
        }
        Batch batch = new Batch(drafts, limits);
        try {
            if (wait.isZero()) {
                // Who comes to wait has met the lock before.
                appendOptimistically(batch);
            }
            appendLocked(own, batch);
            if (!wait.isZero()) {
                appendWaiting(batch, wait);
            }
        } catch (StorageException e) {
            throw batch.stored() > 0 ? partly(e) : e;
        }
        return batch.results();
    }

    /**
     * Appends inside the caller's transaction; see {@link dev.tidemark.storage.TransactionalMessageStore}.
     *
     * @param callers runs attempts under savepoints of the caller's transaction
     * @param drafts the drafts
     * @return one result per draft, in the order of the drafts
     */
    public List<AppendResult> appendWithin(Transactions<T> callers, List<Draft> drafts) {
        Batch batch = new Batch(drafts, limits);
        if (!batch.isSettled()) {
            // Before anything is locked: another connection creates the rows, and might wait for what this one holds.
            createMissing(batch);
            batch.aside().forEach(batch::reopen);
            attempt(callers, batch, Duration.ZERO);
        }
        return batch.results();
    }

    /**
     * Appends inside the caller's transaction, all drafts or none; see {@link
     * dev.tidemark.storage.TransactionalMessageStore#appendAllWithin}.
     *
     * @param callers runs attempts under savepoints of the caller's transaction
     * @param drafts the drafts
     * @return one result per draft, in the order of the drafts
     */
    public List<AppendResult> appendAllWithin(Transactions<T> callers, List<Draft> drafts) {
        try {
            return callers.attempt(transaction -> {
                List<AppendResult> results = appendWithin(callers, drafts);
                if (!results.stream().allMatch(AppendResult::isStored)) {
                    throw new Undo(results);
                }
                return results;
            });
        } catch (Undo undone) {
            return undone.results;
        }
    }

    private void appendOptimistically(Batch batch) {
        if (batch.isSettled() || !primitives.canAppendFresh()) {
            return;
        }
        List<MessageKey> keys = batch.entries().stream().map(Batch.Entry::key).toList();
        List<MessageKey> suspects = keys.stream().filter(recentKeys::addOrSeen).toList();
        Locking locking = lockingHabit.next();
        Map<MessageKey, Receipt> known = Map.of();
        try {
            long begin = System.nanoTime();
            known = find(repeatRate.isLookFirst(keys.size()) ? keys : suspects);
            for (int round = 0; round < MAX_ROUNDS && !batch.isSettled(); round++) {
                appendFresh(batch, known, locking);
                createMissing(batch);
            }
            if (System.nanoTime() - begin > MAX_PATIENCE_NANOS) {
                lockingHabit.failed(locking);
            }
        } catch (AppendFault fault) {
            if (fault.kind() == AppendFault.Kind.LOCK_TIMEOUT || fault.kind() == AppendFault.Kind.TRY_AGAIN) {
                lockingHabit.failed(locking);
            }
            // Nothing of this attempt happened. Under locks it will be seen which draft it was, and why.
            appendLocked(own, batch);
        }
        long expected = suspects.stream().filter(known::containsKey).count();
        repeatRate.observe(batch.known() - (int) expected, keys.size());
    }

    private Map<MessageKey, Receipt> find(List<MessageKey> keys) {
        return keys.isEmpty() ? Map.of() : own.read(transaction -> primitives.find(transaction, keys));
    }

    private void appendFresh(Batch batch, Map<MessageKey, Receipt> known, Locking locking) {
        Instant now = now();
        List<FreshDrafts> fresh = new ArrayList<>();
        for (Batch.Group group : batch.groups()) {
            List<HashedDraft> drafts = group.drafts(known);
            if (!drafts.isEmpty()) {
                fresh.add(new FreshDrafts(group.conversation(), drafts, now));
            }
        }
        Map<String, Head> before = fresh.isEmpty() ? Map.of() : primitives.appendFresh(fresh, locking);
        batch.settleStored(before, known, now);
    }

    private void appendLocked(Transactions<T> where, Batch batch) {
        for (int round = 0; round < MAX_ROUNDS && !batch.isSettled(); round++) {
            attempt(where, batch, Duration.ZERO);
            createMissing(batch);
        }
    }

    /** Each conversation waits alone, so that the lock of one is not held while another is waited for. */
    private void appendWaiting(Batch batch, Duration wait) {
        for (String conversation : batch.aside()) {
            batch.reopen(conversation);
            attempt(own, batch, wait);
            batch.setAside(List.of(conversation));
        }
    }

    /** Appends the open entries whose conversations can be locked, with as many tries as that takes. */
    private void attempt(Transactions<T> where, Batch batch, Duration wait) {
        LockedAppend.Care care = LockedAppend.Care.NONE;
        int failures = 0;
        while (true) {
            LockedAppend.Care careful = care;
            try {
                Map<MessageKey, Outcome> outcomes = where.attempt(
                        transaction -> new LockedAppend<>(primitives, where, own, transaction, careful, now())
                                .run(batch.conversations(), batch.entries(), wait));
                batch.settle(entry -> outcomes.get(entry.key()));
                return;
            } catch (AppendFault fault) {
                switch (fault.kind()) {
                    case LOCK_TIMEOUT -> {
                        return;
                    }
                    case TRY_AGAIN -> {
                        failures++;
                        backOff(where, fault, failures);
                    }
                    case KEY_TAKEN -> {
                        if (care.lift()) {
                            throw corrupt("a sequence above the highest row, or a key not found under the lock", fault);
                        }
                        care = care.lifting();
                    }
                    case UNSTORABLE -> {
                        if (care.isolate()) {
                            throw corrupt("a row was refused that was not inserted", fault);
                        }
                        care = care.isolating();
                    }
                }
            }
        }
    }

    /** Creates the rows of the open conversations that have none. Those that have one were locked: they are put aside. */
    private void createMissing(Batch batch) {
        if (batch.isSettled()) {
            return;
        }
        List<String> conversations = batch.conversations();
        Collection<String> existing = own.read(transaction -> primitives.existing(transaction, conversations));
        batch.setAside(Set.copyOf(existing));
        List<String> missing = batch.conversations();
        if (!missing.isEmpty()) {
            createHeads(batch, missing);
        }
    }

    /** Puts aside what another transaction is creating and does not come to an end with (H41). */
    private void createHeads(Batch batch, List<String> missing) {
        try {
            createHeads(missing);
        } catch (AppendFault lockTimeout) {
            if (missing.size() == 1) {
                batch.setAside(missing);
            } else {
                missing.forEach(conversation -> createHeads(batch, List.of(conversation)));
            }
        }
    }

    /**
     * In a short transaction of its own, so that nobody waits for the row of a new conversation as long as an append.
     *
     * @throws AppendFault {@link AppendFault.Kind#LOCK_TIMEOUT} only
     */
    private void createHeads(List<String> missing) {
        for (int failures = 1; ; failures++) {
            try {
                own.attempt(transaction -> {
                    Map<String, Head> heads = new TreeMap<>();
                    missing.forEach(conversation -> heads.put(conversation, Head.EMPTY));
                    // There may be rows whose conversation was lost: numbers go on after them (H15).
                    heads.putAll(primitives.lastRows(transaction, missing));
                    primitives.createHeads(transaction, heads);
                    return heads;
                });
                return;
            } catch (AppendFault fault) {
                if (fault.kind() == AppendFault.Kind.LOCK_TIMEOUT) {
                    throw fault;
                }
                // A key that is taken means that another node was faster: the next try finds the row.
                backOff(own, fault, failures);
            }
        }
    }

    private void backOff(Transactions<T> where, AppendFault fault, int failures) {
        if (fault.kind() == AppendFault.Kind.UNSTORABLE || !where.isRepeatable() || failures >= MAX_FAILURES) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE,
                    fault.kind() + " after " + failures + " tries: " + fault.reason(),
                    fault);
        }
        backoff.pause(failures);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static StorageException partly(StorageException cause) {
        return new StorageException(
                StorageException.Kind.UNKNOWN_OUTCOME,
                "a part of the drafts was stored before the store failed; append all of them again to learn which",
                cause);
    }

    private static StorageException corrupt(String what, AppendFault fault) {
        return new StorageException(StorageException.Kind.CORRUPT, what + ": " + fault.reason(), fault);
    }

    /** Undoes an attempt that has its results all the same. */
    private static final class Undo extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient List<AppendResult> results;

        Undo(List<AppendResult> results) {
            super("a draft was not stored", null, false, false);
            this.results = results;
        }
    }
}
