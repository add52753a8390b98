/** What the tests share: virtual time, stores that fail on demand, listeners and transports that remember. */
package dev.tidemark.testing;
