package dev.tidemark.push;

import dev.tidemark.listener.PushDrop;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.listener.internal.FaultLog;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Looks up who is to get a batch of messages. Members are read once for each conversation of the batch and sessions for many
 * recipients at once; nothing is remembered from one batch to the next, so that who has left gets no more. Used by one lane.
 */
final class Recipients {

    /** So many members are read at a time, and so many users' sessions. */
    private static final int PAGE = 1000;

    /** Takes the pushes that were found. */
    @FunctionalInterface
    interface Sink {
        void push(Session session, Push push);
    }

    /** A member and what there is for the conversation; not all of it may be for this member. */
    private record Recipient(Member member, List<Announcement> announcements) {}

    private final ConversationDirectory directory;
    private final Presence presence;
    private final TidemarkListener listener;
    private final Sink sink;
    private final FaultLog faults;

    private final List<Recipient> found = new ArrayList<>();

    Recipients(
            ConversationDirectory directory,
            Presence presence,
            TidemarkListener listener,
            Sink sink,
            LongSupplier nanoTime) {
        this.directory = directory;
        this.presence = presence;
        this.listener = listener;
        this.sink = sink;
        this.faults = new FaultLog(
                LoggerFactory.getLogger(PushService.class),
                "recipients could not be looked up; their devices have to fetch",
                nanoTime);
    }

    /** Passes on a push for every session that is to get one; within a conversation and recipient in the given order. */
    void forEach(List<Announcement> batch) {
        Map<String, List<Announcement>> conversations = new LinkedHashMap<>();
        for (Announcement announcement : batch) {
            conversations
                    .computeIfAbsent(announcement.conversation(), key -> new ArrayList<>())
                    .add(announcement);
        }
        conversations.forEach(this::findMembers);
        findSessions();
    }

    private void findMembers(String conversation, List<Announcement> announcements) {
        try {
            @Nullable String next = null;
            do {
                KeyPage<Member> page = directory.members(conversation, next, PAGE);
                for (Member member : page.items()) {
                    found.add(new Recipient(member, announcements));
                }
                if (found.size() >= PAGE) {
                    findSessions();
                }
                next = page.next();
            } while (next != null);
        } catch (Throwable e) {
            drop(announcements, e);
        }
    }

    private void findSessions() {
        Set<String> users = new HashSet<>();
        found.forEach(recipient -> users.add(recipient.member().user()));
        try {
            Map<String, List<Session>> sessions = users.isEmpty() ? Map.of() : presence.sessions(users);
            for (Recipient recipient : found) {
                for (Session session : sessions.getOrDefault(recipient.member().user(), List.of())) {
                    push(recipient, session);
                }
            }
        } catch (Throwable e) {
            Set<Announcement> lost = new LinkedHashSet<>();
            found.forEach(recipient -> lost.addAll(recipient.announcements()));
            drop(lost, e);
        } finally {
            found.clear();
        }
    }

    private void push(Recipient recipient, Session session) {
        for (Announcement announcement : recipient.announcements()) {
            if (recipient.member().since() <= announcement.seq() && !announcement.isFrom(session)) {
                sink.push(session, announcement.push());
            }
        }
    }

    private void drop(Iterable<Announcement> announcements, Throwable fault) {
        for (Announcement lost : announcements) {
            faults.report(() -> "conversation " + lost.conversation() + ", seq " + lost.seq(), fault);
            listener.pushDropped(lost.conversation(), lost.seq(), 0, PushDrop.LOOKUP_FAILED);
        }
    }
}
