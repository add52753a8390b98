/** Rate limits for the sends of {@link dev.tidemark.send.SendPipeline}, made of token buckets. */
module dev.tidemark.ratelimit {
    requires static transitive org.jspecify;
    requires transitive dev.tidemark.core;
    requires com.github.benmanes.caffeine;
    requires io.github.bucket4j.core;

    exports dev.tidemark.ratelimit;
}
