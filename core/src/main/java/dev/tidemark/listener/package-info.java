/**
 * What the services tell a host about their work.
 */
@NullMarked
package dev.tidemark.listener;

import org.jspecify.annotations.NullMarked;
