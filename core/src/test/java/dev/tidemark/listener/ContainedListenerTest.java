package dev.tidemark.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Session;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.VirtualTime;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ContainedListenerTest {

    private static final Session SESSION = new Session(new DeviceId("ann", "phone"), "node", 1);

    private final VirtualTime time = new VirtualTime();

    @Test
    @DisplayName("H28: a listener that throws is contained, and logged once with a count")
    void aListenerThatThrowsIsContained() throws Exception {
        TidemarkListener throwing = (TidemarkListener) Proxy.newProxyInstance(
                TidemarkListener.class.getClassLoader(),
                new Class<?>[] {TidemarkListener.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("toString") || method.getName().equals("hashCode")) {
                        return null;
                    }
                    throw new AssertionError("the host's");
                });
        TidemarkListener contained = TidemarkListener.contained(throwing, time::nanoTime);
        List<Method> events = events();
        try (Logs logs = new Logs()) {
            for (Method event : events) {
                event.invoke(contained, arguments(event));
            }
            assertThat(logs.lines()).hasSize(1);
            time.advance(Duration.ofMinutes(1));
            contained.committed(1, 1, Duration.ZERO);
            assertThat(logs.lines()).hasSize(2);
            assertThat(logs.lines().get(1)).contains(events.size() - 1 + " times");
        }
    }

    @Test
    void everyEventIsPassedOn() throws Exception {
        RecordingListener recording = new RecordingListener();
        TidemarkListener contained = TidemarkListener.contained(recording, time::nanoTime);
        for (Method event : events()) {
            event.invoke(contained, arguments(event));
        }
        assertThat(recording.all()).hasSize(events().size()).doesNotHaveDuplicates();
    }

    @Test
    void whatIsContainedIsNotContainedAgain() {
        TidemarkListener contained = TidemarkListener.contained(new RecordingListener(), time::nanoTime);
        assertThat(TidemarkListener.contained(contained, time::nanoTime)).isSameAs(contained);
        assertThat(TidemarkListener.contained(TidemarkListener.NONE, time::nanoTime))
                .isSameAs(TidemarkListener.NONE);
    }

    private static List<Method> events() {
        return Arrays.stream(TidemarkListener.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    private static Object[] arguments(Method event) {
        return Arrays.stream(event.getParameterTypes())
                .map(ContainedListenerTest::argument)
                .toArray();
    }

    private static Object argument(Class<?> type) {
        if (type == int.class) {
            return 1;
        } else if (type == boolean.class) {
            return true;
        } else if (type == long.class) {
            return 1L;
        } else if (type == String.class) {
            return "c1";
        } else if (type == Duration.class) {
            return Duration.ZERO;
        } else if (type == Session.class) {
            return SESSION;
        } else if (type == ErrorCode.class) {
            return ErrorCode.OVERLOADED;
        } else if (type == IndexDrop.class) {
            return IndexDrop.FAILED;
        } else if (type == PushDrop.class) {
            return PushDrop.CLOSED;
        }
        return new IllegalStateException();
    }
}
