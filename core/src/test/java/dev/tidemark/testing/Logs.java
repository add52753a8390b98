package dev.tidemark.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Listens to what Tidemark logs. */
public final class Logs implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.tidemark");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public Logs() {
        appender.start();
        logger.addAppender(appender);
    }

    /** The lines above DEBUG. */
    public List<String> lines() {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
