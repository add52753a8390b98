/**
 * The send path: validate; authorize, number and store, by group commit; push. {@link dev.tidemark.send.SendPipeline} is\n * the main line.
 */
@NullMarked
package dev.tidemark.send;

import org.jspecify.annotations.NullMarked;
