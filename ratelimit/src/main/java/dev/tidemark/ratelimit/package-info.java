/** Rate limits: {@link dev.tidemark.ratelimit.TokenBuckets} keeps one bucket per sender. */
@NullMarked
package dev.tidemark.ratelimit;

import org.jspecify.annotations.NullMarked;
