package dev.tidemark.examples.quickstart;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.Tidemark;
import dev.tidemark.fetch.PageResult;
import dev.tidemark.push.Push;
import dev.tidemark.send.SendRequest;
import dev.tidemark.send.SendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Session;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.jdbc.JdbcConversationDirectory;
import dev.tidemark.storage.jdbc.JdbcCursorStore;
import dev.tidemark.storage.jdbc.JdbcMessageStore;
import dev.tidemark.storage.jdbc.JdbcOptions;
import dev.tidemark.storage.jdbc.SchemaInstaller;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The chat application that Tidemark is embedded in: one process, one database file, and a transport that hands a push to
 * the device that is connected.
 */
final class ChatServer implements AutoCloseable {

    private static final String NODE = "node-1";

    private final HikariDataSource dataSource;
    private final JdbcConversationDirectory directory;
    private final Tidemark tidemark;
    private final Map<Session, Device> connections = new ConcurrentHashMap<>();

    /** Opens the database file, which is created when it is not there, and starts. */
    ChatServer(Path databaseFile) {
        HikariConfig config = new HikariConfig();
        // Without WRITE_DELAY=0 H2 loses what was committed just before a crash, and Tidemark refuses to start on it.
        config.setJdbcUrl("jdbc:h2:file:" + databaseFile.toAbsolutePath() + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
        dataSource = new HikariDataSource(config);
        SchemaInstaller.install(dataSource, JdbcOptions.defaults());
        directory = JdbcConversationDirectory.over(dataSource);
        tidemark = Tidemark.builder()
                .messages(JdbcMessageStore.over(dataSource))
                .cursors(JdbcCursorStore.over(dataSource))
                .directory(directory)
                .transport(this::deliver)
                .build();
        tidemark.start();
    }

    private void deliver(Session session, Push push) {
        Device device = connections.get(session);
        if (device != null && push instanceof Push.Message message) {
            device.receive(message.message());
        }
    }

    void join(String conversation, String user) {
        directory.join(conversation, user, 1);
    }

    /** Presence first: from here on everything is pushed, and what was said before is what the device fetches. */
    Session connect(Device device) {
        Session session = tidemark.presence().connect(device.id(), NODE);
        connections.put(session, device);
        return session;
    }

    void disconnect(Session session) {
        connections.remove(session);
        tidemark.presence().disconnect(session);
    }

    /** Sends a line from a device, which renders its own message when the receipt comes. */
    SendResult.Stored send(Device from, Line line) {
        SendResult.Stored stored = tidemark.sendPipeline()
                .sendAndWait(SendRequest.of(line.conversation(), line.sender(), line.messageId(), Body.of(line.text()))
                        .fromDevice(from.id().device()));
        from.receive(new StoredMessage(
                line.conversation(),
                stored.seq(),
                line.sender(),
                line.messageId(),
                "text",
                true,
                Body.of(line.text()),
                0,
                stored.storedAt()));
        return stored;
    }

    /** The page after what the device knows. */
    PageResult.Page page(Device device, String conversation) {
        PageResult result =
                tidemark.fetchService().pageAndWait(device.id(), conversation, device.position(conversation), 50);
        if (result instanceof PageResult.Page page) {
            return page;
        }
        throw new IllegalStateException("expected a page, was " + result);
    }

    /** The device's word that it has rendered up to where it stands. Returns the cursor the server holds now. */
    long acknowledge(Device device, String conversation) {
        return tidemark.cursorManager()
                .acknowledgeAndWait(
                        device.id(), conversation, device.position(conversation).seq())
                .seq();
    }

    @Override
    public void close() {
        tidemark.close();
        dataSource.close();
    }
}
