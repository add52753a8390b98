package dev.tidemark.error;

/** What the blocking form of a service throws where the asynchronous form answers with a {@link Refusal}. */
public final class RefusedException extends TidemarkException {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    /** Wraps the refusal. */
    public RefusedException(Refusal refusal) {
        super(refusal.code(), refusal.code().code() + ": " + refusal.detail(), null);
        this.refusal = refusal;
    }

    /** The refusal as the asynchronous form would have answered it. */
    public Refusal refusal() {
        return refusal;
    }
}
