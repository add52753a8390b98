package dev.tidemark.examples.quickstart;

/** A transcript that cannot be played; the message says where it is wrong and what was expected. */
final class TranscriptException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TranscriptException(String message) {
        super(message);
    }
}
