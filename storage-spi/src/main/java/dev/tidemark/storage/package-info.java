/**
 * The store contracts. Their javadoc is normative: what it says an implementation does, the contract tests of {@code
 * tidemark-storage-tck} check.
 *
 * <p>Rules that hold for every contract of this package:
 *
 * <ul>
 *   <li>Calls are synchronous and may block; implementations are safe for use by many threads at once.
 *   <li>Expected outcomes are return values. A fault is a {@link dev.tidemark.storage.StorageException} with a kind that
 *       says whether something may have happened. A wrong argument is an {@link
 *       dev.tidemark.error.InvalidInputException} that names it; nothing happened then.
 *   <li>Empty collections are allowed as input and answered with empty results without asking the database. Nothing is
 *       null unless marked so.
 *   <li>Ids are compared byte for byte in UTF-8: no case folding, no trimming, no padding.
 *   <li>Returned collections are unmodifiable.
 * </ul>
 */
@NullMarked
package dev.tidemark.storage;

import org.jspecify.annotations.NullMarked;
