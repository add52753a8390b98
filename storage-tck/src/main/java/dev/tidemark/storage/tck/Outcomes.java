package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The results of an append in words, so that a test shows what it expects and a failure what it got. */
final class Outcomes {

    static final String DEFERRED = "deferred";

    private Outcomes() {}

    static String appended(long seq) {
        return "appended " + seq;
    }

    /** The outcomes of fresh drafts. */
    static List<String> appended(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(Outcomes::appended).toList();
    }

    static String duplicate(long seq) {
        return "duplicate " + seq;
    }

    static String conflict(long seq) {
        return "conflict " + seq;
    }

    static String rejected(String field) {
        return "rejected " + field;
    }

    /** Each result in words; the reasons of rejections are for people and left out, times too. */
    static List<String> of(List<AppendResult> results) {
        return results.stream().map(Outcomes::of).toList();
    }

    /** A result in words. */
    static String of(AppendResult result) {
        if (result instanceof AppendResult.Appended appended) {
            return appended(appended.seq());
        } else if (result instanceof AppendResult.Duplicate duplicate) {
            return duplicate(duplicate.seq());
        } else if (result instanceof AppendResult.Conflict conflict) {
            return conflict(conflict.seq());
        } else if (result instanceof AppendResult.Rejected rejected) {
            return rejected(rejected.field());
        }
        return DEFERRED;
    }

    /** Repeats a word. */
    static List<String> times(int count, String outcome) {
        return Stream.generate(() -> outcome).limit(count).toList();
    }

    static boolean isDeferred(AppendResult result) {
        return result instanceof AppendResult.Deferred;
    }

    /** The time in a result that has one. */
    static Instant storedAt(AppendResult result) {
        if (result instanceof AppendResult.Duplicate duplicate) {
            return duplicate.storedAt();
        }
        assertThat(result).isInstanceOf(AppendResult.Appended.class);
        return ((AppendResult.Appended) result).storedAt();
    }
}
