package dev.tidemark.error;

/** A wrong argument of a synchronous call or a builder: names the field and what was expected. Nothing happened. */
public final class InvalidInputException extends TidemarkException {

    private static final long serialVersionUID = 1L;

    private final String field;

    /**
     * Creates the exception.
     *
     * @param field the name of the wrong input
     * @param expected what would have been right, as the end of the sentence "expected …"
     */
    public InvalidInputException(String field, String expected) {
        super(ErrorCode.INVALID, field + ": expected " + expected, null);
        this.field = field;
    }

    /** The name of the wrong input. */
    public String field() {
        return field;
    }
}
