package dev.tidemark.testing;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.TransactionalMessageStore;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.storage.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A message store over another one, whose next appends go as the test says, and which remembers what it was asked. */
public final class ScriptedMessageStore implements TransactionalMessageStore<InMemoryTransaction> {

    /** What becomes of one append. */
    @FunctionalInterface
    public interface Append {
        List<AppendResult> run(MessageStore real, List<Draft> drafts, Duration wait);
    }

    /** An append the store was asked for. */
    public record Call(List<Draft> drafts, Duration lockWait) {}

    private final MessageStore real;
    private final Queue<Append> script = new ConcurrentLinkedQueue<>();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile StorageException readFault;
    private volatile StorageException findFault;
    private volatile boolean recording = true;

    public ScriptedMessageStore(MessageStore real) {
        this.real = real;
    }

    /** The next append that nothing was said of yet goes like this. */
    public ScriptedMessageStore next(Append append) {
        script.add(append);
        return this;
    }

    /** The next append does nothing and throws. */
    public ScriptedMessageStore throwNext(RuntimeException fault) {
        return next((store, drafts, wait) -> {
            throw fault;
        });
    }

    /** The next append commits, and then the answer is lost (H6). */
    public ScriptedMessageStore loseAnswerNext() {
        return next((store, drafts, wait) -> {
            store.append(drafts, wait);
            throw fault(StorageException.Kind.UNKNOWN_OUTCOME);
        });
    }

    /** Reads throw from now on; null for no more. */
    public void failReads(StorageException fault) {
        readFault = fault;
    }

    /** Look-ups by key throw from now on; null for no more. */
    public void failFinds(StorageException fault) {
        findFault = fault;
    }

    /** Remembers no more appends, for tests that make very many. */
    public ScriptedMessageStore forgetful() {
        recording = false;
        return this;
    }

    public List<Call> calls() {
        return calls;
    }

    public static StorageException fault(StorageException.Kind kind) {
        return new StorageException(kind, "as the test says", null);
    }

    @Override
    public StoreLimits limits() {
        return real.limits();
    }

    @Override
    public List<AppendResult> append(List<Draft> drafts, Duration wait) {
        if (recording) {
            calls.add(new Call(List.copyOf(drafts), wait));
        }
        Append next = script.poll();
        return next == null ? real.append(drafts, wait) : next.run(real, drafts, wait);
    }

    @Override
    public List<AppendResult> appendWithin(InMemoryTransaction transaction, List<Draft> drafts) {
        return ((InMemoryMessageStore) real).appendWithin(transaction, drafts);
    }

    @Override
    public List<AppendResult> appendAllWithin(InMemoryTransaction transaction, List<Draft> drafts) {
        return ((InMemoryMessageStore) real).appendAllWithin(transaction, drafts);
    }

    @Override
    public Map<MessageKey, Receipt> find(Collection<MessageKey> keys) {
        if (findFault != null) {
            throw findFault;
        }
        return real.find(keys);
    }

    @Override
    public Slice after(String conversation, long after, int limit) {
        checkReadable();
        return real.after(conversation, after, limit);
    }

    @Override
    public Slice before(String conversation, long before, int limit) {
        checkReadable();
        return real.before(conversation, before, limit);
    }

    @Override
    public Map<String, Head> heads(Collection<String> conversations) {
        checkReadable();
        return real.heads(conversations);
    }

    private void checkReadable() {
        if (readFault != null) {
            throw readFault;
        }
    }
}
