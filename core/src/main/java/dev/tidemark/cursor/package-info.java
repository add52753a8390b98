/**
 * Cursors: how far each device has rendered each conversation, moved only forward and only on the device's word (P5).
 */
@NullMarked
package dev.tidemark.cursor;

import org.jspecify.annotations.NullMarked;
