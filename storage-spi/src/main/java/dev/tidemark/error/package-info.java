/** The one error model of Tidemark: stable codes, refusals as values, faults as unchecked exceptions with one root. */
@NullMarked
package dev.tidemark.error;

import org.jspecify.annotations.NullMarked;
