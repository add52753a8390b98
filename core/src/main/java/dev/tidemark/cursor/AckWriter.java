package dev.tidemark.cursor;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.Visibility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settles a burst of acknowledgements with one question to each store and one write, each acknowledgement judged by itself.
 * Never throws.
 */
final class AckWriter {

    /** Suggested to those whom a store failed; clients add jitter. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final CursorStore cursors;
    private final MessageLog log;
    private final ConversationDirectory directory;
    private final FaultLog faults;

    AckWriter(CursorStore cursors, MessageLog log, ConversationDirectory directory, FaultLog faults) {
        this.cursors = cursors;
        this.log = log;
        this.directory = directory;
        this.faults = faults;
    }

    /** Decides for every acknowledgement; returns how many cursors moved. */
    int settle(List<Ack> burst) {
        List<Ack> acks = reset(burst);
        if (acks.isEmpty()) {
            return 0;
        }
        Map<CursorKey, Cursor> held;
        try {
            judge(acks);
            acks.removeIf(Ack::isDecided);
            held = acks.isEmpty() ? Map.of() : cursors.get(distinct(acks, Ack::key));
        } catch (Throwable e) {
            // Nothing was written yet, whatever it was.
            refuse(acks, e, ErrorCode.UNAVAILABLE);
            return 0;
        }
        try {
            return advance(acks, held);
        } catch (Throwable e) {
            refuse(acks, e, ErrorCode.OUTCOME_UNKNOWN);
            return 0;
        }
    }

    /** Makes the resets; returns the acknowledgements that still count. Those made before a reset fall with it (H13). */
    private List<Ack> reset(List<Ack> burst) {
        List<Ack> acks = new ArrayList<>();
        for (Ack ack : burst) {
            if (!ack.isReset()) {
                acks.add(ack);
                continue;
            }
            List<Ack> fallen = new ArrayList<>(List.of(ack));
            acks.removeIf(earlier -> earlier.key().equals(ack.key()) && fallen.add(earlier));
            try {
                AckResult result = new AckResult.Acknowledged(cursors.reset(ack.key(), ack.seq()));
                fallen.forEach(one -> one.decide(result));
            } catch (Throwable e) {
                refuse(fallen, e, ErrorCode.OUTCOME_UNKNOWN);
            }
        }
        return acks;
    }

    private void judge(List<Ack> acks) {
        Map<MemberKey, Visibility> visibility = directory.visibility(distinct(acks, AckWriter::member));
        Map<String, Head> heads = log.heads(distinct(acks, ack -> ack.key().conversation()));
        for (Ack ack : acks) {
            Refusal refusal = judge(
                    ack,
                    visibility.getOrDefault(member(ack), Visibility.NONE),
                    heads.getOrDefault(ack.key().conversation(), Head.EMPTY));
            if (refusal != null) {
                ack.decide(new AckResult.Refused(refusal));
            }
        }
    }

    private static @Nullable Refusal judge(Ack ack, Visibility visibility, Head head) {
        if (!visibility.isAny()) {
            return Refusal.of(ErrorCode.NOT_A_MEMBER, about(ack.key()) + "the user is not a member");
        }
        long visibleHead = visibility.headWithin(head.seq());
        return ack.seq() <= visibleHead
                ? null
                : Refusal.of(
                        ErrorCode.BEYOND_HEAD,
                        about(ack.key()) + "seq " + ack.seq() + " is past the last message, " + visibleHead);
    }

    private int advance(List<Ack> acks, Map<CursorKey, Cursor> held) {
        Map<CursorKey, Cursor> moves = new HashMap<>();
        for (Ack ack : acks) {
            Cursor now = held.getOrDefault(ack.key(), Cursor.NONE);
            if (ack.seq() > now.seq()) {
                // In the generation that was read: a reset made meanwhile, by whomever, stays ahead (H13).
                moves.merge(ack.key(), now.at(ack.seq()), (one, other) -> one.compareTo(other) > 0 ? one : other);
            }
        }
        Map<CursorKey, Cursor> moved = moves.isEmpty() ? Map.of() : cursors.advance(moves);
        for (Ack ack : acks) {
            Cursor before = held.getOrDefault(ack.key(), Cursor.NONE);
            ack.decide(new AckResult.Acknowledged(moved.getOrDefault(ack.key(), before)));
        }
        return moved.size();
    }

    private void refuse(List<Ack> acks, Throwable fault, ErrorCode otherwise) {
        ErrorCode code = fault instanceof StorageException storage ? storage.code() : otherwise;
        faults.report(
                () -> acks.size() + " acknowledgements, the first of "
                        + acks.get(0).key(),
                fault);
        for (Ack ack : acks) {
            String detail = about(ack.key()) + "the stores failed";
            ack.decide(new AckResult.Refused(
                    code.retryable() ? Refusal.retryable(code, detail, RETRY_AFTER) : Refusal.of(code, detail)));
        }
    }

    private static MemberKey member(Ack ack) {
        return new MemberKey(ack.key().conversation(), ack.key().user());
    }

    private static String about(CursorKey key) {
        return "conversation " + key.conversation() + ", user " + key.user() + ", device " + key.device() + ": ";
    }

    private static <K> Set<K> distinct(List<Ack> acks, Function<Ack, K> keyOf) {
        return acks.stream().map(keyOf).collect(Collectors.toSet());
    }
}
