/**
 * How the services share threads: mailboxes, gates and replies. Not API: it may change in any release.
 */
@NullMarked
package dev.tidemark.concurrent.internal;

import org.jspecify.annotations.NullMarked;
