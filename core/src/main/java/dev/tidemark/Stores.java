package dev.tidemark;

import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Presence;
import org.jspecify.annotations.Nullable;

/** What the host handed in. */
record Stores(
        MessageLog log,
        CursorStore cursors,
        ConversationDirectory directory,
        Presence presence,
        @Nullable InboxStore inbox) {

    /** Asks each whether it can keep its promises. */
    void verify() {
        log.verify();
        cursors.verify();
        directory.verify();
        if (inbox != null) {
            inbox.verify();
        }
    }
}
