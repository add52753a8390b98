package dev.tidemark.concurrent.internal;

import dev.tidemark.storage.Partitioned;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lanes of their own for each partition: what is slow in one holds up nothing of another (H45). Safe for use by many threads.
 *
 * @param <L> the lanes
 */
public final class PartitionedLanes<L> {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionedLanes.class);

    private final Partitioned partitions;
    private final int perPartition;
    private final List<L> lanes = new ArrayList<>();

    /**
     * Creates the lanes.
     *
     * @param partitions says where conversations are
     * @param perPartition how many lanes each partition has
     * @param create makes a lane of a partition; called partition by partition
     */
    public PartitionedLanes(Partitioned partitions, int perPartition, IntFunction<? extends L> create) {
        this.partitions = partitions;
        this.perPartition = perPartition;
        for (int partition = 0; partition < partitions.partitions(); partition++) {
            for (int i = 0; i < perPartition; i++) {
                lanes.add(create.apply(partition));
            }
        }
    }

    /** The lane of a conversation; null when the host's partitioner throws. */
    public @Nullable L get(String conversation) {
        return get(conversation, conversation.hashCode());
    }

    /**
     * The lane of something in a conversation; null when the host's partitioner throws.
     *
     * @param conversation decides the partition
     * @param hash decides among that partition's lanes
     */
    public @Nullable L get(String conversation, int hash) {
        try {
            int partition = partitions.partitionOf(conversation);
            return lanes.get(partition * perPartition + Spread.over(hash, perPartition));
        } catch (RuntimeException e) {
            LOG.debug("conversation {} has no partition", conversation, e);
            return null;
        }
    }

    /** The lanes of a partition. */
    public List<L> of(int partition) {
        return lanes.subList(partition * perPartition, (partition + 1) * perPartition);
    }

    /** Does something with every lane. */
    public void forEach(Consumer<? super L> action) {
        lanes.forEach(action);
    }

    /** Makes something of every lane. */
    public <R> List<R> map(Function<? super L, ? extends R> function) {
        List<R> made = new ArrayList<>(lanes.size());
        lanes.forEach(lane -> made.add(function.apply(lane)));
        return made;
    }
}
