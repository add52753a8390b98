/**
 * The one door: {@link dev.tidemark.Tidemark} wires the services together and owns their life.
 */
@NullMarked
package dev.tidemark;

import org.jspecify.annotations.NullMarked;
