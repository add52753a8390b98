/** What a send costs and what its reader sees, beside the designs Tidemark replaces and the ceiling of the database. */
@NullMarked
package dev.tidemark.benchmarks;

import org.jspecify.annotations.NullMarked;
