/**
 * The push path: who is to be told of a stored message, and the bounded lanes to the host's transport. Best effort (P4).
 */
@NullMarked
package dev.tidemark.inbox;

import org.jspecify.annotations.NullMarked;
