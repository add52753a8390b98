/**
 * What the services run on: the threads and the time that a host hands in.
 */
@NullMarked
package dev.tidemark.concurrent;

import org.jspecify.annotations.NullMarked;
