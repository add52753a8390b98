package dev.tidemark.storage.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoreLimits;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the attempt to append a batch as fresh costs, and what comes after it when it fails. */
class FreshAppendTest {

    private final Database database = new Database();
    private final AppendAlgorithm<Object> algorithm =
            new AppendAlgorithm<>(database, new Own(), new StoreLimits(1000), Clock.systemUTC(), failures -> {});

    @Test
    void freshDraftsTakeOneStatement() {
        append("a", "m1");
        database.calls.clear();

        assertThat(append("a", "m2")).isEqualTo("2");
        assertThat(database.calls).containsExactly("fresh ANY_ORDER");
    }

    @Test
    void aKeySeenLatelyIsLookedUpAndTheOthersAreNot() {
        append("a", "m1");
        database.calls.clear();

        assertThat(append("a", "m2", "m1", "m3")).isEqualTo("2 1 again 3");
        assertThat(database.calls).containsExactly("find 1", "fresh ANY_ORDER");
    }

    @Test
    void aBatchOfRepeatsAloneLocksNothing() {
        append("a", "m1", "m2");
        database.calls.clear();

        assertThat(append("a", "m1", "m2")).isEqualTo("1 again 2 again");
        assertThat(database.calls).containsExactly("find 2");
    }

    @Test
    void aRepeatFromElsewhereIsFoundUnderTheLock() {
        new AppendAlgorithm<>(database, new Own(), new StoreLimits(1000), Clock.systemUTC(), failures -> {})
                .append(List.of(draft("a", "m1")), Duration.ZERO);
        database.calls.clear();

        assertThat(append("a", "m1", "m2")).isEqualTo("1 again 2");
        assertThat(database.calls).startsWith("fresh ANY_ORDER", "lock", "find 2");
    }

    @Test
    void whereSomebodyElseHoldsLocksTheyAreTakenInOrderFromThenOn() {
        append("a", "m1");
        database.nextFault = new AppendFault(AppendFault.Kind.LOCK_TIMEOUT, "held", new Exception());
        database.calls.clear();

        assertThat(append("a", "m2")).isEqualTo("2");
        assertThat(append("a", "m3")).isEqualTo("3");
        assertThat(database.calls)
                .containsExactly("fresh ANY_ORDER", "lock", "find 1", "insert 1", "move", "fresh IN_ORDER");
    }

    @Test
    void whatIsHeldForLongIsDeferredAndTheOthersAreStored() {
        append("a", "m1");
        append("b", "m1");
        database.held = "a";

        List<AppendResult> results = algorithm.append(List.of(draft("a", "m2"), draft("b", "m2")), Duration.ZERO);

        assertThat(results.get(0)).isInstanceOf(AppendResult.Deferred.class);
        assertThat(results.get(1)).isInstanceOf(AppendResult.Appended.class);
        database.held = null;
        assertThat(append("a", "m2")).isEqualTo("2");
    }

    @Test
    void whoWaitsGoesTheCarefulWay() {
        append("a", "m1");
        database.calls.clear();

        algorithm.append(List.of(draft("a", "m2")), Duration.ofMillis(1));

        assertThat(database.calls).containsExactly("lock", "find 1", "insert 1", "move");
    }

    @Test
    void aFaultAfterAPartWasStoredIsAnUnknownOutcomeOfAll() {
        append("a", "m1");
        database.creationFault = new StorageException(StorageException.Kind.UNSUPPORTED, "no right to insert", null);

        assertThatThrownBy(() -> algorithm.append(List.of(draft("a", "m2"), draft("b", "m1")), Duration.ZERO))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNKNOWN_OUTCOME));
        assertThatThrownBy(() -> algorithm.append(List.of(draft("a", "m2"), draft("b", "m1")), Duration.ZERO))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNSUPPORTED));
    }

    private String append(String conversation, String... ids) {
        List<Draft> drafts = new ArrayList<>();
        for (String id : ids) {
            drafts.add(draft(conversation, id));
        }
        List<String> outcomes = new ArrayList<>();
        for (AppendResult result : algorithm.append(drafts, Duration.ZERO)) {
            if (result instanceof AppendResult.Appended appended) {
                outcomes.add(String.valueOf(appended.seq()));
            } else if (result instanceof AppendResult.Duplicate duplicate) {
                outcomes.add(duplicate.seq() + " again");
            } else {
                outcomes.add(result.toString());
            }
        }
        return String.join(" ", outcomes);
    }

    private static Draft draft(String conversation, String id) {
        return Draft.of(conversation, "ann", id, Body.of("text"));
    }

    private static final class Own implements Transactions<Object> {

        @Override
        public <R> R attempt(Function<Object, R> work) {
            return work.apply(this);
        }

        @Override
        public <R> R read(Function<Object, R> work) {
            return work.apply(this);
        }

        @Override
        public void nested(Object transaction, Runnable work) {
            work.run();
        }

        @Override
        public boolean isRepeatable() {
            return true;
        }
    }

    /** One thread's database, which writes down what it is asked. */
    private static final class Database implements AppendPrimitives<Object> {

        private final Map<String, Head> heads = new TreeMap<>();
        private final Map<MessageKey, Receipt> rows = new HashMap<>();
        private final List<String> calls = new ArrayList<>();
        private @Nullable AppendFault nextFault;
        private @Nullable String held;
        private @Nullable RuntimeException creationFault;

        @Override
        public boolean canAppendFresh() {
            return true;
        }

        @Override
        public Map<String, Head> appendFresh(List<FreshDrafts> drafts, Locking locking) {
            calls.add("fresh " + locking);
            AppendFault fault = nextFault;
            nextFault = null;
            if (fault != null) {
                throw fault;
            }
            for (FreshDrafts ofOne : drafts) {
                if (ofOne.conversation().equals(held)) {
                    throw new AppendFault(AppendFault.Kind.LOCK_TIMEOUT, "held", new Exception());
                }
                for (HashedDraft draft : ofOne.drafts()) {
                    if (rows.containsKey(draft.key())) {
                        throw new AppendFault(AppendFault.Kind.KEY_TAKEN, "taken", new Exception());
                    }
                }
            }
            Map<String, Head> before = new HashMap<>();
            for (FreshDrafts ofOne : drafts) {
                Head head = heads.get(ofOne.conversation());
                if (head != null) {
                    before.put(ofOne.conversation(), head);
                    for (HashedDraft draft : ofOne.drafts()) {
                        head = head.plus(1, draft.draft().tag());
                        rows.put(draft.key(), new Receipt(head.seq(), ofOne.storedAt(), draft.bodyHash()));
                    }
                    heads.put(ofOne.conversation(), head);
                }
            }
            return before;
        }

        @Override
        public Map<String, Head> lockHeads(Object transaction, List<String> conversations, Duration wait) {
            calls.add("lock");
            Map<String, Head> locked = new HashMap<>(heads);
            locked.keySet().retainAll(conversations);
            locked.keySet().removeIf(conversation -> conversation.equals(held));
            return locked;
        }

        @Override
        public Map<MessageKey, Receipt> find(Object transaction, Collection<MessageKey> keys) {
            calls.add("find " + keys.size());
            Map<MessageKey, Receipt> found = new HashMap<>(rows);
            found.keySet().retainAll(keys);
            return found;
        }

        @Override
        public void insert(Object transaction, List<NumberedDraft> drafts) {
            calls.add("insert " + drafts.size());
            drafts.forEach(draft -> rows.put(
                    draft.hashed().key(),
                    new Receipt(draft.seq(), draft.storedAt(), draft.hashed().bodyHash())));
        }

        @Override
        public void moveHeads(Object transaction, Map<String, Head> moved) {
            calls.add("move");
            heads.putAll(moved);
        }

        @Override
        public Map<String, Head> lastRows(Object transaction, List<String> conversations) {
            return Map.of();
        }

        @Override
        public Collection<String> existing(Object transaction, List<String> conversations) {
            List<String> existing = new ArrayList<>(heads.keySet());
            existing.retainAll(conversations);
            return existing;
        }

        @Override
        public void createHeads(Object transaction, Map<String, Head> created) {
            if (creationFault != null) {
                throw creationFault;
            }
            created.forEach(heads::putIfAbsent);
        }
    }
}
