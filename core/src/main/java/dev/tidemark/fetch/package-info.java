/**
 * The fetch path: pages of a conversation after a position, within what the user may see.
 */
@NullMarked
package dev.tidemark.fetch;

import org.jspecify.annotations.NullMarked;
