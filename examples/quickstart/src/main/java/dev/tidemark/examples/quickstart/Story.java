package dev.tidemark.examples.quickstart;

import dev.tidemark.fetch.PageResult;
import dev.tidemark.send.SendResult;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Session;
import dev.tidemark.storage.StoredMessage;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Plays a transcript: everybody is online, a lid closes, the server restarts, the lid opens again. */
final class Story {

    private static final int REPEAT_EVERY = 10;

    private final Transcript transcript;
    private final Path databaseFile;
    private final PrintStream out;

    /** Everybody has a phone and writes from it. */
    private final Map<String, Device> phones = new LinkedHashMap<>();

    /** The first of them has a laptop too: it is the one that goes away. */
    private final Device laptop;

    private final Map<Device, Session> online = new LinkedHashMap<>();
    private int stored;
    private int repeats;
    private int wrong;

    Story(Transcript transcript, Path databaseFile, PrintStream out) {
        this.transcript = transcript;
        this.databaseFile = databaseFile;
        this.out = out;
        transcript.users().forEach(user -> phones.put(user, new Device(new DeviceId(user, "phone"))));
        this.laptop = new Device(new DeviceId(transcript.users().first(), "laptop"));
    }

    /** Plays it. Returns whether every device has rendered everything, once, in order. */
    boolean play() {
        int half = transcript.lines().size() / 2;
        int threeQuarters = half + (transcript.lines().size() - half) / 2;
        out.printf(
                Locale.ROOT,
                "%d messages in %d conversations, from %s, on %d devices. The database: one H2 file.%n",
                transcript.lines().size(),
                transcript.conversations().size(),
                String.join(" and ", transcript.users()),
                devices().size());
        try (ChatServer server = new ChatServer(databaseFile)) {
            transcript
                    .conversations()
                    .forEach(conversation -> transcript.users().forEach(user -> server.join(conversation, user)));
            act("1", "Everybody is online.");
            devices().forEach(device -> connect(server, device));
            say(server, 0, half);
            act("2", laptop.name() + " closes its lid. The talk goes on.");
            disconnect(server, laptop);
            say(server, half, threeQuarters);
        }
        online.clear();
        act("3", "The server restarts on the same file. The phones are back at once, the laptop is not.");
        try (ChatServer server = new ChatServer(databaseFile)) {
            phones.values().forEach(phone -> connect(server, phone));
            phones.values().forEach(phone -> catchUp(server, phone));
            say(server, threeQuarters, transcript.lines().size());
            act("4", laptop.name() + " opens its lid again.");
            connect(server, laptop);
            catchUp(server, laptop);
            devices().forEach(device -> acknowledgeAll(server, device));
        }
        return report();
    }

    private void connect(ChatServer server, Device device) {
        online.put(device, server.connect(device));
    }

    private void disconnect(ChatServer server, Device device) {
        Session session = online.remove(device);
        if (session != null) {
            acknowledgeAll(server, device);
            server.disconnect(session);
        }
    }

    private void say(ChatServer server, int from, int to) {
        int repeatsBefore = repeats;
        for (Line line : transcript.lines().subList(from, to)) {
            Device phone = phone(line.sender());
            SendResult.Stored receipt = server.send(phone, line);
            if (!receipt.duplicate()) {
                stored++;
            }
            if (stored % REPEAT_EVERY == 0) {
                repeat(server, phone, line, receipt);
            }
            for (Device device : online.keySet()) {
                if (!device.awaitLive(line.conversation(), receipt.seq())) {
                    catchUp(server, device);
                }
            }
        }
        sample(from);
        sample(to - 1);
        out.printf(
                Locale.ROOT,
                "  %d sent and stored, %d of them sent twice with the same id and stored once%n",
                to - from,
                repeats - repeatsBefore);
    }

    /** What a client does whose receipt was lost: the same message again, with the same id. */
    private void repeat(ChatServer server, Device phone, Line line, SendResult.Stored first) {
        SendResult.Stored again = server.send(phone, line);
        repeats++;
        if (!again.duplicate() || again.seq() != first.seq()) {
            wrong++;
            out.printf("  wrong: %s was stored as %d, its repeat as %d%n", line.messageId(), first.seq(), again.seq());
        }
    }

    private void catchUp(ChatServer server, Device device) {
        for (String conversation : transcript.conversations()) {
            int number = 0;
            PageResult.Page page;
            do {
                page = server.page(device, conversation);
                int rendered = device.receive(page);
                if (rendered > 0) {
                    out.printf(
                            Locale.ROOT,
                            "  %-10s page %d: %3d … %3d of %3d, rendered %2d, acknowledged %d%n",
                            conversation,
                            ++number,
                            page.after().seq() + 1,
                            page.covered().seq(),
                            page.headSeq(),
                            rendered,
                            server.acknowledge(device, conversation));
                }
            } while (!page.upToDate());
        }
        out.printf("  %s is up to date%n", device.name());
    }

    private void acknowledgeAll(ChatServer server, Device device) {
        for (String conversation : transcript.conversations()) {
            long cursor = server.acknowledge(device, conversation);
            if (cursor != device.position(conversation).seq()) {
                wrong++;
                out.printf("  wrong: the cursor of %s in %s is %d%n", device.name(), conversation, cursor);
            }
        }
    }

    private boolean report() {
        List<List<StoredMessage>> screens =
                devices().stream().map(Device::screen).toList();
        Verdict verdict = Verdict.of(transcript, screens);
        act("5", "What is on the screens?");
        for (Device device : devices()) {
            out.printf(
                    Locale.ROOT,
                    "  %-14s %3d messages: %3d live, %3d fetched%n",
                    device.name(),
                    device.screen().size(),
                    device.live(),
                    device.fetched());
        }
        out.println();
        out.printf(
                Locale.ROOT,
                "quickstart: stored=%d live=%d fetched=%d lost=%d duplicated=%d out-of-order=%d%n",
                stored,
                devices().stream().mapToInt(Device::live).sum(),
                devices().stream().mapToInt(Device::fetched).sum(),
                verdict.lost(),
                verdict.duplicated(),
                verdict.outOfOrder());
        return verdict.isClean() && wrong == 0 && stored == transcript.lines().size();
    }

    private void act(String number, String title) {
        out.printf("%n%s. %s%n", number, title);
    }

    private void sample(int index) {
        Line line = transcript.lines().get(index);
        String text = line.text().length() <= 60 ? line.text() : line.text().substring(0, 59) + "…";
        out.printf("  [%s] %s: %s%n", line.conversation(), line.sender(), text);
    }

    private Device phone(String user) {
        Device phone = phones.get(user);
        if (phone == null) {
            throw new IllegalStateException("nobody is called " + user);
        }
        return phone;
    }

    private List<Device> devices() {
        List<Device> devices = new ArrayList<>(phones.values());
        devices.add(laptop);
        return devices;
    }
}
