package dev.tidemark.storage.memory;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MutableConversationDirectory;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.VisibleRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The reference of {@link MutableConversationDirectory}. */
public final class InMemoryConversationDirectory implements MutableConversationDirectory {

    /** By conversation, then by user: who sends asks for one conversation, again and again. */
    private final Map<String, Map<String, Visibility>> conversations = new ConcurrentHashMap<>();

    /** An empty directory. */
    public InMemoryConversationDirectory() {}

    @Override
    public KeyPage<Member> members(String conversation, @Nullable String after, int limit) {
        Map<String, Member> members = new TreeMap<>(InMemoryKeys.BYTE_ORDER);
        conversations.getOrDefault(conversation, Map.of()).forEach((user, visibility) -> {
            if (visibility.isMember()) {
                members.put(user, new Member(user, last(visibility).first()));
            }
        });
        return InMemoryKeys.page(List.copyOf(members.values()), Member::user, after, limit);
    }

    @Override
    public KeyPage<String> conversations(String user, @Nullable String after, int limit) {
        List<String> visible = new ArrayList<>();
        conversations.forEach((conversation, users) -> {
            if (users.containsKey(user)) {
                visible.add(conversation);
            }
        });
        visible.sort(InMemoryKeys.BYTE_ORDER);
        return InMemoryKeys.page(visible, conversation -> conversation, after, limit);
    }

    @Override
    public Map<MemberKey, Visibility> visibility(Collection<MemberKey> members) {
        Map<MemberKey, Visibility> visibility = new HashMap<>(members.size() * 2);
        for (MemberKey member : members) {
            visibility.put(
                    member,
                    conversations
                            .getOrDefault(member.conversation(), Map.of())
                            .getOrDefault(member.user(), Visibility.NONE));
        }
        return Collections.unmodifiableMap(visibility);
    }

    @Override
    public void join(String conversation, String user, long first) {
        InMemoryKeys.check("conversation", conversation);
        InMemoryKeys.check("user", user);
        VisibleRange joined = VisibleRange.from(first);
        users(conversation).merge(user, new Visibility(List.of(joined)), (old, fresh) -> {
            if (old.isMember()) {
                return old;
            }
            if (first <= last(old).last()) {
                throw new InvalidInputException(
                        "first", "more than " + last(old).last() + ", the end of an earlier membership, was " + first);
            }
            List<VisibleRange> ranges = new ArrayList<>(old.ranges());
            ranges.add(joined);
            return new Visibility(ranges);
        });
    }

    @Override
    public void leave(String conversation, String user, long last) {
        if (last < 0) {
            throw new InvalidInputException("last", "0 or more, was " + last);
        }
        users(conversation).computeIfPresent(user, (key, old) -> {
            if (!old.isMember()) {
                return old;
            }
            List<VisibleRange> ranges = new ArrayList<>(old.ranges());
            VisibleRange open = ranges.remove(ranges.size() - 1);
            if (last >= open.first()) {
                ranges.add(new VisibleRange(open.first(), Math.min(last, VisibleRange.OPEN - 1)));
            }
            return ranges.isEmpty() ? null : new Visibility(ranges);
        });
    }

    private Map<String, Visibility> users(String conversation) {
        return conversations.computeIfAbsent(conversation, key -> new ConcurrentHashMap<>());
    }

    private static VisibleRange last(Visibility visibility) {
        return visibility.ranges().get(visibility.ranges().size() - 1);
    }
}
