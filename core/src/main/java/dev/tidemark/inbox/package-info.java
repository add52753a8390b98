/**
 * Conversation lists and unread counters: an index over the messages, never the truth. It follows the stored messages behind
 * the send path's back, and is mended by reading.
 */
@NullMarked
package dev.tidemark.inbox;

import org.jspecify.annotations.NullMarked;
