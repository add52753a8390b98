package dev.tidemark;

import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Presence;

/** What the host handed in. */
record Stores(MessageLog log, CursorStore cursors, ConversationDirectory directory, Presence presence) {

    /** Asks each whether it can keep its promises. */
    void verify() {
        log.verify();
        cursors.verify();
        directory.verify();
    }
}
