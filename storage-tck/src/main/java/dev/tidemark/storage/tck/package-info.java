/**
 * The contract of every store, in code. Whoever writes an adapter extends one class per contract and says, in a
 * fixture, how to open the store and how to do to it what the world outside does: hold a lock, lose a connection,
 * restore a backup. Green means that Tidemark keeps its promises on that adapter; the numbers in the display names are
 * the hard cases of Tidemark's design.
 *
 * <pre>{@code
 * class AcmeMessageStoreTest extends MessageStoreContract {
 *
 *     private static final AcmeServer SERVER = AcmeServer.started();
 *
 *     @Override
 *     protected MessageStoreFixture open() {
 *         return new AcmeFixture(SERVER);
 *     }
 *
 *     @Override
 *     protected Set<Capability> missing() {
 *         return Set.of(Capability.BACKUPS);
 *     }
 * }
 *
 * class AcmeCompetingMessageStoresTest extends CompetingMessageStoresContract {
 *
 *     @Override
 *     protected MessageStoreFixture open() {
 *         return new AcmeFixture(AcmeServer.started());
 *     }
 * }
 * }</pre>
 *
 * <table>
 * <caption>Which class for which contract</caption>
 * <tr><th>what you wrote</th><th>what you extend</th></tr>
 * <tr><td>{@link dev.tidemark.storage.MessageLog}, over tables your own code writes</td>
 *     <td>{@link dev.tidemark.storage.tck.MessageLogContract}</td></tr>
 * <tr><td>{@link dev.tidemark.storage.MessageStore}</td>
 *     <td>{@link dev.tidemark.storage.tck.MessageStoreContract} and {@link
 *     dev.tidemark.storage.tck.CompetingMessageStoresContract}</td></tr>
 * <tr><td>{@link dev.tidemark.storage.TransactionalMessageStore}</td>
 *     <td>{@link dev.tidemark.storage.tck.TransactionalMessageStoreContract} and {@link
 *     dev.tidemark.storage.tck.CompetingMessageStoresContract}</td></tr>
 * <tr><td>{@link dev.tidemark.storage.CursorStore}</td>
 *     <td>{@link dev.tidemark.storage.tck.CursorStoreContract}</td></tr>
 * <tr><td>{@link dev.tidemark.storage.MutableConversationDirectory}</td>
 *     <td>{@link dev.tidemark.storage.tck.ConversationDirectoryContract}</td></tr>
 * <tr><td>{@link dev.tidemark.storage.Presence}</td>
 *     <td>{@link dev.tidemark.storage.tck.PresenceContract}</td></tr>
 * </table>
 *
 * <p><b>Isolation.</b> A fixture is opened before every test and closed after it, so opening should be cheap: start the
 * server and create the schema once. Every test uses ids nobody has used before and none assumes an empty store; there
 * is nothing to clean up between tests.
 *
 * <p><b>Variants.</b> A variant is another subclass whose fixture opens the store differently: over a pool that hands
 * out connections with autocommit off, with a table prefix, on another version of the server.
 *
 * <p><b>Capabilities.</b> What a fixture cannot do to its store it leaves as it is, and the test class declares it in
 * {@link dev.tidemark.storage.tck.MessageStoreContract#missing()}. Those tests are then not generated; none is skipped.
 * The declaration is itself tested: nothing can be declared missing that is there, nor left out without a declaration.
 *
 * <p><b>Randomness.</b> Randomized tests draw from a seed that the failure names; {@code -Dtidemark.seed=…} draws the
 * same again. No test sleeps or measures time; the timeouts only keep a build from hanging.
 */
@NullMarked
package dev.tidemark.storage.tck;

import org.jspecify.annotations.NullMarked;
