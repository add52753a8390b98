package dev.tidemark.benchmarks;

import dev.tidemark.Tidemark;
import dev.tidemark.TidemarkBuilder;
import dev.tidemark.send.SendRequest;
import dev.tidemark.send.SendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.jdbc.JdbcMessageStore;
import dev.tidemark.storage.memory.InMemoryCursorStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tidemark's send pipeline, on one node or several that take turns. */
final class TidemarkDesign implements SendDesign {

    private final List<Tidemark> nodes;
    private final AtomicInteger turn = new AtomicInteger();

    /** One node per data source, which may leave callbacks to threads of their own. */
    TidemarkDesign(List<DataSource> dataSources, ConversationDirectory directory, boolean isHandingOver) {
        this.nodes = dataSources.stream()
                .map(dataSource -> {
                    TidemarkBuilder builder = Tidemark.builder()
                            .messages(JdbcMessageStore.over(dataSource))
                            .cursors(new InMemoryCursorStore())
                            .directory(directory);
                    return (isHandingOver ? builder : builder.completeOn(Runnable::run)).build();
                })
                .toList();
        nodes.forEach(Tidemark::start);
    }

    @Override
    public void send(Message message, Consumer<@Nullable String> done) {
        Tidemark node =
                nodes.size() == 1 ? nodes.get(0) : nodes.get(Math.floorMod(turn.getAndIncrement(), nodes.size()));
        node.sendPipeline()
                .send(SendRequest.of(
                        message.conversationId(), message.sender(), message.messageId(), Body.wrap(Message.BODY)))
                .thenAccept(result -> done.accept(result instanceof SendResult.Stored ? null : result.toString()));
    }

    @Override
    public void close() {
        nodes.forEach(Tidemark::close);
    }
}
