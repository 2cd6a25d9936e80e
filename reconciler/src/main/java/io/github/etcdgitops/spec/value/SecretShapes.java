package io.github.etcdgitops.spec.value;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What keys, tokens and passwords look like in a text.
public final class SecretShapes {
    private static final Pattern KNOWN = Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY"
            + "|\\bgh[pousr]_[A-Za-z0-9]{36}"
            + "|\\bgithub_pat_[A-Za-z0-9_]{40}"
            + "|\\bglpat-[A-Za-z0-9_-]{20}"
            + "|\\bAGE-SECRET-KEY-1[0-9A-Z]{50}"
            + "|\\bAKIA[0-9A-Z]{16}\\b"
            + "|\\bxox[abpr]-[A-Za-z0-9-]{20}"
            + "|\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}");

    /// What is left out of a text for each of them: of a key in PEM not its first line alone.
    private static final Pattern WHOLE = Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY"
            + "(?:[-A-Za-z0-9+/=\\s:,\\\\]*?-----END [A-Z0-9 ]*PRIVATE KEY-----|[-A-Za-z0-9+/=\\s:,\\\\]*+)"
            + "|\\bgh[pousr]_[A-Za-z0-9]{36,}"
            + "|\\bgithub_pat_[A-Za-z0-9_]{40,}"
            + "|\\bglpat-[A-Za-z0-9_-]{20,}"
            + "|\\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"
            + "|\\bAKIA[0-9A-Z]{16}\\b"
            + "|\\bxox[abpr]-[A-Za-z0-9-]{20,}"
            + "|\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}");

    /// Stands where something was left out. Without characters that mean anything in JSON, HTML or a table.
    public static final String MARK = "(left out: looks like a key or a token)";

    private static final Pattern IN_URL = Pattern.compile("[a-z][a-z0-9+.-]{1,20}://[^/\\s:@]{1,200}:[^/\\s@]{1,200}@");

    /// A word of a language, a path and a name in Kubernetes have less.
    private static final double BITS_A_CHARACTER = 4.3;

    private static final Pattern LONG_WORD = Pattern.compile("[A-Za-z0-9+_=-]{32,}");

    private SecretShapes() {}

    /// Forms that nothing else has.
    public static boolean known(String text) {
        return KNOWN.matcher(text).find();
    }

    /// The text with a mark in the place of each of these forms. A backslash at the end of one stays: in JSON the
    /// character after it hangs on it.
    public static String without(String text) {
        return WHOLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(MARK + backslashes(found.group())));
    }

    private static String backslashes(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\\') {
            end--;
        }
        return text.substring(end);
    }

    /// That, a password in a URL, or a long word without any order.
    public static boolean likely(String text) {
        return known(text)
                || IN_URL.matcher(text).find()
                || LONG_WORD.matcher(text).results().anyMatch(word -> isRandom(word.group()));
    }

    /// Digests are in one case and of few characters.
    private static boolean isRandom(String word) {
        return word.chars().anyMatch(Character::isUpperCase)
                && word.chars().anyMatch(Character::isLowerCase)
                && word.chars().anyMatch(Character::isDigit)
                && entropy(word) >= BITS_A_CHARACTER;
    }

    /// Bits a character, after Shannon.
    private static double entropy(String word) {
        var counts = word.chars().boxed().collect(Collectors.groupingBy(c -> c, Collectors.counting()));
        return counts.values().stream()
                .mapToDouble(count -> (double) Objects.requireNonNull(count) / word.length())
                .map(share -> -share * Math.log(share) / Math.log(2))
                .sum();
    }
}
