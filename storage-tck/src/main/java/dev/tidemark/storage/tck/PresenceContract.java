package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.MessageLogContract.assertEmptyOrRefused;
import static dev.tidemark.storage.tck.MessageLogContract.assertRefused;
import static dev.tidemark.storage.tck.MessageLogContract.assertUnmodifiable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The contract of {@link Presence}: one device, one live session; the newer one stays. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class PresenceContract {

    private static final int COMPETING_CONNECTS = 100;

    private StoreFixture<? extends Presence> fixture;

    /** For subclasses. */
    protected PresenceContract() {}

    /**
     * Opens the presence for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    protected abstract StoreFixture<? extends Presence> open() throws Exception;

    @BeforeEach
    void openFixture() throws Exception {
        fixture = open();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private Presence presence() {
        return fixture.store();
    }

    private Presence another() {
        return fixture.another();
    }

    private static DeviceId device() {
        return new DeviceId(Fresh.id("user"), "phone");
    }

    /** The sessions of one user, as another node sees them. */
    private List<Session> sessions(String user) {
        Map<String, List<Session>> sessions = another().sessions(List.of(user));
        assertThat(sessions).containsOnlyKeys(user);
        return sessions.getOrDefault(user, List.of());
    }

    @Test
    void whoNeverConnectedIsNotPresent() {
        DeviceId device = device();

        assertThat(presence().session(device)).isNull();
        assertThat(sessions(device.user())).isEmpty();
    }

    @Test
    void whoConnectsIsPresentOnEveryNode() {
        DeviceId device = device();

        Session session = presence().connect(device, "node-1");

        assertThat(session.device()).isEqualTo(device);
        assertThat(session.node()).isEqualTo("node-1");
        assertThat(another().session(device)).isEqualTo(session);
        assertThat(sessions(device.user())).containsExactly(session);
    }

    @Test
    void whoDisconnectsIsGone() {
        DeviceId device = device();
        Session session = presence().connect(device, "node-1");

        assertThat(another().disconnect(session)).isTrue();

        assertThat(presence().session(device)).isNull();
        assertThat(sessions(device.user())).isEmpty();
        assertThat(presence().disconnect(session)).isFalse();
    }

    @Test
    @DisplayName("H39: two logins with one device id on two nodes; the old one's late close leaves the newer alone")
    void theLateCloseOfAnOlderSessionLeavesTheNewerAlone() {
        DeviceId device = device();
        Session older = presence().connect(device, "node-1");
        Session newer = another().connect(device, "node-2");

        assertThat(newer.incarnation()).isGreaterThan(older.incarnation());
        assertThat(sessions(device.user())).containsExactly(newer);

        assertThat(presence().disconnect(older)).isFalse();

        assertThat(another().session(device)).isEqualTo(newer);
        assertThat(sessions(device.user())).containsExactly(newer);
        assertThat(presence().disconnect(newer)).isTrue();
    }

    @Test
    @DisplayName("H39: two logins on one node, too")
    void theLateCloseOnTheSameNodeLeavesTheNewerAlone() {
        DeviceId device = device();
        Session older = presence().connect(device, "node-1");
        Session newer = presence().connect(device, "node-1");

        assertThat(newer.incarnation()).isGreaterThan(older.incarnation());
        assertThat(presence().disconnect(older)).isFalse();
        assertThat(presence().session(device)).isEqualTo(newer);
    }

    @Test
    @DisplayName("H39: an incarnation is greater than all before, also after the device was gone")
    void incarnationsGrowAcrossAbsences() {
        DeviceId device = device();
        long last = Long.MIN_VALUE;
        for (int i = 0; i < 5; i++) {
            Session session = (i % 2 == 0 ? presence() : another()).connect(device, "node-" + i);
            assertThat(session.incarnation()).isGreaterThan(last);
            last = session.incarnation();
            presence().disconnect(session);
        }
    }

    @Test
    void theDevicesOfAUserAreConnectedEachByItself() {
        DeviceId phone = device();
        DeviceId tablet = new DeviceId(phone.user(), "tablet");
        DeviceId elsewhere = new DeviceId(Fresh.id("user"), phone.device());
        Session onPhone = presence().connect(phone, "node-1");
        Session onTablet = another().connect(tablet, "node-2");
        Session ofOther = presence().connect(elsewhere, "node-1");

        assertThat(sessions(phone.user())).containsExactlyInAnyOrder(onPhone, onTablet);
        assertThat(sessions(elsewhere.user())).containsExactly(ofOther);

        presence().disconnect(onPhone);
        assertThat(sessions(phone.user())).containsExactly(onTablet);
        assertThat(presence().session(tablet)).isEqualTo(onTablet);
        assertThat(presence().session(elsewhere)).isEqualTo(ofOther);
    }

    @Test
    void sessionsAreAnsweredForEveryUserAsked() {
        DeviceId ann = device();
        DeviceId bob = device();
        String absent = Fresh.id("user");
        Session ofAnn = presence().connect(ann, "node-1");
        Session ofBob = presence().connect(bob, "node-1");

        assertThat(presence().sessions(List.of(bob.user(), absent, ann.user(), bob.user())))
                .isEqualTo(Map.of(ann.user(), List.of(ofAnn), bob.user(), List.of(ofBob), absent, List.of()));
        assertThat(presence().sessions(List.of())).isEmpty();
    }

    @Test
    void sessionsOfAnyNumberOfUsers() {
        List<String> users = new ArrayList<>(Fresh.ids("user", 70_000));
        DeviceId device = device();
        users.set(69_999, device.user());
        Session session = presence().connect(device, "node-1");

        Map<String, List<Session>> sessions = presence().sessions(users);

        assertThat(sessions).hasSize(70_000).containsEntry(device.user(), List.of(session));
        assertThat(sessions.get(users.get(0))).isEmpty();
    }

    @Test
    @DisplayName("H40: users, devices and nodes are compared byte for byte, up to the greatest length")
    void differentIdsAreDifferent() {
        String user = Fresh.id("user");
        List<Session> connected = new ArrayList<>();
        for (String id : TrickyIds.DISTINCT) {
            connected.add(presence().connect(new DeviceId(user, id), id));
        }

        assertThat(sessions(user)).containsExactlyInAnyOrderElementsOf(connected);
        for (Session session : connected) {
            assertThat(another().session(session.device())).isEqualTo(session);
        }

        String device = Fresh.id("device");
        for (String id : TrickyIds.DISTINCT) {
            presence().connect(new DeviceId(id, device), id);
        }
        for (String id : TrickyIds.DISTINCT) {
            assertThat(another().session(new DeviceId(id, device)))
                    .isNotNull()
                    .extracting(Session::node)
                    .isEqualTo(id);
        }
    }

    @Test
    @DisplayName("H40: an id that is none is refused by the name of its part")
    void aWrongIdIsRefusedByName() {
        String user = Fresh.id("user");
        for (String wrong : TrickyIds.WRONG) {
            assertRefused("user", () -> presence().connect(new DeviceId(wrong, "device"), "node"));
            assertRefused("device", () -> presence().connect(new DeviceId(user, wrong), "node"));
            assertRefused("node", () -> presence().connect(new DeviceId(user, "device"), wrong));
            assertEmptyOrRefused(() ->
                    assertThat(presence().session(new DeviceId(user, wrong))).isNull());
            assertEmptyOrRefused(
                    () -> assertThat(presence().sessions(List.of(wrong))).isEqualTo(Map.of(wrong, List.of())));
        }
        assertThat(sessions(user)).isEmpty();
    }

    @Test
    void whatIsReturnedCannotBeChanged() {
        DeviceId device = device();
        presence().connect(device, "node");

        assertUnmodifiable(() -> presence().sessions(List.of(device.user())).clear());
        assertUnmodifiable(() -> presence()
                .sessions(List.of(device.user()))
                .getOrDefault(device.user(), List.of())
                .clear());
    }

    @Test
    @DisplayName("H39: nodes that connect one device at once: each session is greater, and the greatest is live")
    void ofCompetingConnectionsTheGreatestIsLive() {
        Seed.run(seed -> {
            List<DeviceId> devices = List.of(device(), device());
            Map<DeviceId, Long> greatest = new ConcurrentHashMap<>();
            List<Crew.Part<List<Session>>> nodes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Presence node = another();
                String name = "node-" + i;
                Random random = seed.random(i);
                nodes.add(() -> compete(node, name, devices, greatest, random));
            }
            List<Session> all = new ArrayList<>();
            try (Crew crew = new Crew()) {
                crew.together(nodes).forEach(all::addAll);
            }
            for (DeviceId device : devices) {
                List<Long> incarnations = all.stream()
                        .filter(session -> session.device().equals(device))
                        .map(Session::incarnation)
                        .toList();
                TreeSet<Long> distinct = new TreeSet<>(incarnations);
                assertThat(distinct).hasSameSizeAs(incarnations);
                // Nobody closes the last of its own, so the very last is live.
                assertThat(another().session(device))
                        .isNotNull()
                        .satisfies(live -> assertThat(live.incarnation()).isEqualTo(distinct.last()));
                assertThat(sessions(device.user())).hasSize(1);
            }
        });
    }

    /** Connects again and again, and closes late what it had before; nobody ever closes a device's newest session. */
    private static List<Session> compete(
            Presence node, String name, List<DeviceId> devices, Map<DeviceId, Long> greatest, Random random) {
        List<Session> sessions = new ArrayList<>();
        for (DeviceId device : devices) {
            for (int i = 0; i < COMPETING_CONNECTS; i++) {
                long before = greatest.getOrDefault(device, Long.MIN_VALUE);
                Session session = node.connect(device, name);
                assertThat(session.incarnation()).isGreaterThan(before);
                greatest.merge(device, session.incarnation(), Math::max);
                if (i > 0 && random.nextBoolean()) {
                    assertThat(node.disconnect(sessions.get(sessions.size() - 1)))
                            .isFalse();
                }
                sessions.add(session);
                long known = greatest.getOrDefault(device, Long.MIN_VALUE);
                assertThat(node.session(device))
                        .isNotNull()
                        .satisfies(live -> assertThat(live.incarnation()).isGreaterThanOrEqualTo(known));
            }
        }
        return sessions;
    }
}
