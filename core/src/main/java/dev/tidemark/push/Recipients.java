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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up who is to get a batch of messages. Members are read once for each conversation of the batch and sessions for many
 * recipients at once; nothing is remembered from one batch to the next, so that who has left gets no more. Used by one lane.
 */
final class Recipients {

    private static final Logger LOG = LoggerFactory.getLogger(PushService.class);

    /** So many members are read at a time, and so many users' sessions. */
    private static final int PAGE = 1000;

    /** Takes what was found. */
    interface Sink {

        /** A session gets a message. */
        void push(Session session, Push.Message push);

        /** A session is to be told that there is something up to a sequence. */
        void notify(Session session, String conversation, long upTo);
    }

    /**
     * What came of a batch.
     *
     * @param large the large groups, which were told that there is something
     * @param failed the conversations whose members or sessions could not be looked up, with their highest sequence
     */
    record Result(Set<String> large, Map<String, Long> failed) {}

    /** A message with what its recipients get, all of them the same. */
    private record Outgoing(Announcement announcement, Push.Message push) {}

    /** A member and what there is: messages, or word of them when that list is empty. Not all may be for this member. */
    private record Recipient(Member member, String conversation, List<Outgoing> outgoing, long upTo) {}

    private final ConversationDirectory directory;
    private final Presence presence;
    private final Offline offline;
    private final int largeGroup;
    private final TidemarkListener listener;
    private final Sink sink;
    private final FaultLog faults;
    private final FaultLog offlineFaults;

    private final List<Recipient> found = new ArrayList<>();
    private final Set<String> large = new HashSet<>();
    private final Map<String, Long> failed = new HashMap<>();

    Recipients(
            ConversationDirectory directory,
            Presence presence,
            Offline offline,
            int largeGroup,
            TidemarkListener listener,
            Sink sink,
            LongSupplier nanoTime) {
        this.directory = directory;
        this.presence = presence;
        this.offline = offline;
        this.largeGroup = largeGroup;
        this.listener = listener;
        this.sink = sink;
        this.faults = new FaultLog(LOG, "recipients could not be looked up; their devices are told later", nanoTime);
        this.offlineFaults = new FaultLog(LOG, "the hand-over of a message threw; it is not handed over", nanoTime);
    }

    /** Passes on a push for every session that is to get one; within a conversation and recipient in the given order. */
    Result push(List<Announcement> batch) {
        Map<String, List<Announcement>> conversations = new LinkedHashMap<>();
        for (Announcement announcement : batch) {
            conversations
                    .computeIfAbsent(announcement.conversation(), key -> new ArrayList<>())
                    .add(announcement);
        }
        conversations.forEach((conversation, announcements) -> find(
                conversation,
                announcements,
                announcements.get(announcements.size() - 1).seq()));
        return result();
    }

    /** Passes on word that there is something, for every session of a conversation's members. */
    Result notify(String conversation, long upTo) {
        find(conversation, List.of(), upTo);
        return result();
    }

    private Result result() {
        findSessions();
        Result result = new Result(Set.copyOf(large), Map.copyOf(failed));
        large.clear();
        failed.clear();
        return result;
    }

    private void find(String conversation, List<Announcement> announcements, long upTo) {
        List<Member> members = new ArrayList<>();
        try {
            KeyPage<Member> page = directory.members(conversation, null, PAGE);
            members.addAll(page.items());
            while (page.next() != null && members.size() <= largeGroup) {
                page = directory.members(conversation, page.next(), PAGE);
                members.addAll(page.items());
            }
            if (members.size() <= largeGroup) {
                add(conversation, members, outgoing(announcements, members.size()), upTo);
                return;
            }
            large.add(conversation);
            add(conversation, members, List.of(), upTo);
            while (page.next() != null) {
                page = directory.members(conversation, page.next(), PAGE);
                add(conversation, page.items(), List.of(), upTo);
            }
        } catch (Throwable e) {
            fail(conversation, announcements, upTo, e);
        }
    }

    private static List<Outgoing> outgoing(List<Announcement> announcements, int members) {
        Delivery usual = members <= 2 ? Delivery.C2C : Delivery.C2G;
        List<Outgoing> outgoing = new ArrayList<>(announcements.size());
        for (Announcement one : announcements) {
            Delivery delivery = one.delivery() == null ? usual : one.delivery();
            outgoing.add(new Outgoing(one, new Push.Message(one.message(), delivery)));
        }
        return outgoing;
    }

    private void add(String conversation, List<Member> members, List<Outgoing> outgoing, long upTo) {
        for (Member member : members) {
            found.add(new Recipient(member, conversation, outgoing, upTo));
        }
        if (found.size() >= PAGE) {
            findSessions();
        }
    }

    private void findSessions() {
        Set<String> users = new HashSet<>();
        found.forEach(recipient -> users.add(recipient.member().user()));
        try {
            Map<String, List<Session>> sessions = users.isEmpty() ? Map.of() : presence.sessions(users);
            for (Recipient recipient : found) {
                pass(recipient, sessions.getOrDefault(recipient.member().user(), List.of()));
            }
        } catch (Throwable e) {
            Set<String> reported = new HashSet<>();
            for (Recipient lost : found) {
                if (reported.add(lost.conversation())) {
                    fail(
                            lost.conversation(),
                            lost.outgoing().stream().map(Outgoing::announcement).toList(),
                            lost.upTo(),
                            e);
                }
            }
        } finally {
            found.clear();
        }
    }

    private void pass(Recipient recipient, List<Session> sessions) {
        for (Session session : sessions) {
            push(recipient, session);
        }
        if (sessions.isEmpty()) {
            handOver(recipient);
        }
    }

    private void push(Recipient recipient, Session session) {
        long since = recipient.member().since();
        if (recipient.outgoing().isEmpty() && since <= recipient.upTo()) {
            sink.notify(session, recipient.conversation(), recipient.upTo());
        }
        for (Outgoing one : recipient.outgoing()) {
            if (since <= one.announcement().seq() && !one.announcement().isFrom(session)) {
                sink.push(session, one.push());
            }
        }
    }

    private void handOver(Recipient recipient) {
        String user = recipient.member().user();
        for (Outgoing one : recipient.outgoing()) {
            Announcement announcement = one.announcement();
            if (recipient.member().since() <= announcement.seq()
                    && !announcement.message().sender().equals(user)) {
                handOver(new Handover(user, announcement.message(), announcement.repeat()));
            }
        }
    }

    private void handOver(Handover handover) {
        String conversation = handover.message().conversation();
        long seq = handover.message().seq();
        try {
            offline.handOver(handover);
        } catch (Throwable e) {
            offlineFaults.report(
                    () -> "user " + handover.user() + ", conversation " + conversation + ", seq " + seq, e);
            return;
        }
        listener.handedOver(handover.user(), conversation, seq);
    }

    private void fail(String conversation, List<Announcement> announcements, long upTo, Throwable fault) {
        failed.merge(conversation, upTo, Math::max);
        faults.report(() -> "conversation " + conversation + ", up to seq " + upTo, fault);
        for (Announcement lost : announcements) {
            listener.pushDropped(conversation, lost.seq(), 0, PushDrop.LOOKUP_FAILED);
        }
    }
}
