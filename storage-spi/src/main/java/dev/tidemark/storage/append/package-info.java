/**
 * The append algorithm, written once, over the few primitives in which databases differ. An adapter for another database,
 * or for a host's own table layout, supplies the primitives and gets the numbering, the idempotency, the isolation of bad
 * messages and the repair of lost heads from here.
 */
@NullMarked
package dev.tidemark.storage.append;

import org.jspecify.annotations.NullMarked;
