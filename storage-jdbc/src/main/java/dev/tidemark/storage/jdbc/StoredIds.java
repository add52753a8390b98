package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Ids;

/** Ids that come from outside, before they meet a driver that might change or cut them. */
final class StoredIds {

    private StoredIds() {}

    /** Refuses a wrong id. */
    static void check(String field, String id) {
        String problem = Ids.problemOf(id);
        if (problem != null) {
            throw new InvalidInputException(field, problem);
        }
    }

    /** Whether something can be stored under the id; there is no need to ask the database about another one. */
    static boolean isPossible(String id) {
        return Ids.problemOf(id) == null;
    }
}
