package dev.tidemark.storage.tck;

import dev.tidemark.storage.Ids;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Ids that some database, driver or format takes for one another, and ids that are none (H40). */
final class TrickyIds {

    /** The order in which stores list ids. */
    static final Comparator<String> BYTE_ORDER =
            Comparator.comparing(id -> id.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** All different, all right. */
    static final List<String> DISTINCT = List.of(
            // case, and what folds to the same
            "a",
            "A",
            "i",
            "I",
            "\u0130",
            "\u0131",
            "ss",
            "SS",
            "\u00DF",
            "\u1E9E",
            "k",
            "K",
            "\u212A",
            // accents: one character, or a letter and a combining mark
            "e",
            "\u00E9",
            "e\u0301",
            "\u00C9",
            "\u00E5",
            "a\u030A",
            "\u212B",
            // compatibility forms and ligatures
            "fi",
            "\uFB01",
            "\uFF41",
            "\u00AA",
            "1",
            "\u0661",
            "\u00B9",
            // spaces, and what is trimmed or ignored
            "a ",
            " a",
            "a  ",
            "a\t",
            "a\n",
            "a\r\n",
            "a\u00A0",
            "a\u200B",
            "a\u200D",
            "a\u00AD",
            "\uFEFFa",
            "a\u0001",
            " ",
            "  ",
            "\t",
            "\u007F",
            // separators, quotes, wildcards, escapes
            "a/b",
            "a:b",
            "a:b:",
            ":a:b",
            "a%b",
            "a_b",
            "a.b",
            "a,b",
            "a;b",
            "a|b",
            "a-b",
            "a+b",
            "a&b",
            "a=b",
            "a#b",
            "a\\b",
            "a\\\\b",
            "a'b",
            "a''b",
            "a\"b",
            "a`b",
            "a{b}",
            "{a}b",
            "a[b]",
            "a(b)",
            "a<b>",
            "a?b",
            "a*b",
            "a$b",
            "$1",
            "a@b",
            "a!b",
            "a~b",
            "a^b",
            "%",
            "_",
            "*",
            "?",
            "'",
            "\"",
            "\\",
            "/",
            ".",
            "..",
            "-",
            "--",
            "/*",
            "%00",
            "\\0",
            "\\u0000",
            "'; --",
            "a%2Fb",
            // numbers and words that are read as something else
            "0",
            "00",
            "0.0",
            "-0",
            "+0",
            "0x0",
            "1e0",
            "null",
            "NULL",
            "true",
            "NaN",
            "undefined",
            // beyond the basic plane, and next to the surrogates
            "\uD83D\uDE00",
            "\uD83D\uDE01",
            "\uD83D\uDC68\u200D\uD83D\uDC69",
            "\uD83D\uDC68\uD83D\uDC69",
            "\u2764",
            "\u2764\uFE0F",
            "\uD835\uDC00",
            "\uDBFF\uDFFF",
            "\uD800\uDC00",
            "\uD7FF",
            "\uE000",
            "\uFFFD",
            "\uFFFF",
            "\uFF5E",
            // of the greatest length, different at the end only
            longest('a'),
            longest('b'),
            "x".repeat(Ids.MAX_BYTES - 1),
            "\uD83D\uDE00".repeat(63) + "abc",
            "\uD83D\uDE00".repeat(63) + "abd");

    /** Each breaks the rules of {@link Ids}. */
    static final List<String> WRONG = List.of(
            "",
            "\0",
            "a\0",
            "\0a",
            "a\0b",
            "\uD800",
            "a\uDC00",
            "\uD800a",
            "a\uD83D",
            "\uDE00\uD83D",
            "x".repeat(Ids.MAX_BYTES + 1),
            "\u00E9".repeat(128),
            "\uD83D\uDE00".repeat(64));

    private TrickyIds() {}

    /** An id of exactly {@link Ids#MAX_BYTES} bytes that ends with the character. */
    static String longest(char end) {
        return "x".repeat(Ids.MAX_BYTES - 1) + end;
    }
}
