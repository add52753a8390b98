/**
 * The in-memory reference of every store contract: the simplest code that keeps the contract, for tests and for reading.
 * Nothing of it survives the process, so it breaks P1 in production.
 */
@NullMarked
package dev.tidemark.storage.memory;

import org.jspecify.annotations.NullMarked;
