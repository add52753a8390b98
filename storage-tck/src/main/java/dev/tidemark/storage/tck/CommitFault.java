package dev.tidemark.storage.tck;

/** When a connection dies at COMMIT. The client cannot tell the two apart (H6). */
public enum CommitFault {
    /** Before the server committed: nothing is stored. */
    BEFORE,
    /** After the server committed: everything is stored, only the answer was lost. */
    AFTER
}
