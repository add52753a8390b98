/**
 * How faults are logged. Not API: it may change in any release.
 */
@NullMarked
package dev.tidemark.listener.internal;

import org.jspecify.annotations.NullMarked;
