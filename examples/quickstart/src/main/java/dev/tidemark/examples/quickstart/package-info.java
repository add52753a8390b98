/** Tidemark in one small story: three devices, one database file, a lid that closes and a server that restarts. */
@NullMarked
package dev.tidemark.examples.quickstart;

import org.jspecify.annotations.NullMarked;
