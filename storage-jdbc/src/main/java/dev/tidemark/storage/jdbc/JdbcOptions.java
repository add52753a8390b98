package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the stores of one database have in common. Immutable; every {@code with} method returns a changed copy. */
public final class JdbcOptions {

    /** A promise that a host can do without. */
    public enum Waiver {
        /**
         * Starts although the database may lose commits in a crash (P1 does not hold then): for tests, or where a replica
         * makes up for it.
         */
        DURABILITY
    }

    /** The default of {@link #prefix()}. */
    public static final String DEFAULT_PREFIX = "tidemark_";

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,39}");

    private static final JdbcOptions DEFAULTS =
            new JdbcOptions(DEFAULT_PREFIX, null, Clock.systemUTC(), EnumSet.noneOf(Waiver.class));

    private final String prefix;
    private final @Nullable Dialect dialect;
    private final Clock clock;
    private final Set<Waiver> waivers;

    private JdbcOptions(String prefix, @Nullable Dialect dialect, Clock clock, Set<Waiver> waivers) {
        this.prefix = prefix;
        this.dialect = dialect;
        this.clock = clock;
        this.waivers = waivers;
    }

    /** Prefix {@value #DEFAULT_PREFIX}, the dialect detected, the system's clock, nothing waived. */
    public static JdbcOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The prefix of every table's name; {@value #DEFAULT_PREFIX} by default.
     *
     * @param newPrefix letters, digits and underscores, 1 to 40, not beginning with a digit. A schema is chosen by the
     *     connection
     * @throws InvalidInputException naming {@code prefix}
     */
    public JdbcOptions withPrefix(String newPrefix) {
        checkPrefix(newPrefix);
        return new JdbcOptions(newPrefix, dialect, clock, waivers);
    }

    /** The dialect to use; detected from the first connection by default. */
    public JdbcOptions withDialect(Dialect newDialect) {
        return new JdbcOptions(prefix, Objects.requireNonNull(newDialect, "dialect"), clock, waivers);
    }

    /** The clock that messages are stamped by; the system's by default. */
    public JdbcOptions withClock(Clock newClock) {
        return new JdbcOptions(prefix, dialect, Objects.requireNonNull(newClock, "clock"), waivers);
    }

    /** Does without a promise; none is waived by default. */
    public JdbcOptions waiving(Waiver waiver) {
        Set<Waiver> more = EnumSet.copyOf(waivers.isEmpty() ? EnumSet.of(waiver) : waivers);
        more.add(waiver);
        return new JdbcOptions(prefix, dialect, clock, more);
    }

    /** The prefix of every table's name. */
    public String prefix() {
        return prefix;
    }

    @Nullable Dialect dialect() {
        return dialect;
    }

    Clock clock() {
        return clock;
    }

    boolean isWaived(Waiver waiver) {
        return waivers.contains(waiver);
    }

    static void checkPrefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new InvalidInputException(
                    "prefix",
                    "1 to 40 letters, digits and underscores, not beginning with a digit, was '" + prefix + "'");
        }
    }
}
