package dev.tidemark.error;

/**
 * Why Tidemark said no. The {@link #code()} is stable: it may be sent over the wire, stored, and switched on; constants
 * are added but never renamed.
 */
public enum ErrorCode {
    /** An input is wrong by itself; the answer names the field. Repeating the same call cannot succeed. */
    INVALID("invalid", false),
    /** The user is not a member of the conversation, or not any more. */
    NOT_A_MEMBER("not_a_member", false),
    /** The host's own rules do not let this user do this; the detail is theirs. */
    NOT_ALLOWED("not_allowed", false),
    /** The message id is already taken by another body of the same sender in the same conversation. */
    CONFLICT("conflict", false),
    /** The store cannot hold this message, whatever is tried; its neighbours are not affected. */
    UNSTORABLE("unstorable", false),
    /** The message was made longer ago than message ids are kept apart, so that a repeat could not be told from a new one. */
    EXPIRED("expired", false),
    /** An acknowledgement of something that does not exist yet. */
    BEYOND_HEAD("beyond_head", false),
    /** This user does it too often; nothing was done. The suggested wait is the exact one. */
    TOO_FAST("too_fast", true),
    /** Too much is waiting already; nothing was done. */
    OVERLOADED("overloaded", true),
    /** The store cannot be reached or is failing; nothing was done. */
    UNAVAILABLE("unavailable", true),
    /** It may or may not have been done. Repeat with the same message id: the answer will be the truth. */
    OUTCOME_UNKNOWN("outcome_unknown", true),
    /** It belonged together with something that was refused or rolled back, and was taken back with it: nothing was done. */
    ROLLED_BACK("rolled_back", true),
    /** This instance is not running: it was not started yet, or is shutting down. Another instance may take the call. */
    CLOSED("closed", true),
    /** What is stored contradicts itself; somebody has to look at it. */
    CORRUPT("corrupt", false),
    /** The database or its configuration cannot do what was asked. */
    UNSUPPORTED("unsupported", false);

    private final String code;
    private final boolean retryable;

    ErrorCode(String code, boolean retryable) {
        this.code = code;
        this.retryable = retryable;
    }

    /** The stable name of this code: lower case, words joined by underscores. */
    public String code() {
        return code;
    }

    /** Whether the same call, made again later, can succeed. */
    public boolean retryable() {
        return retryable;
    }
}
