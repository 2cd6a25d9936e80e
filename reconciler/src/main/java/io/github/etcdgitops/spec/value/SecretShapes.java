package io.github.etcdgitops.spec.value;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The forms of keys, tokens and passwords in a text.
public final class SecretShapes {
    private static final Pattern KNOWN = Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY"
            + "|\\bgh[pousr]_[A-Za-z0-9]{36}"
            + "|\\bgithub_pat_[A-Za-z0-9_]{40}"
            + "|\\bglpat-[A-Za-z0-9_-]{20}"
            + "|\\bAGE-SECRET-KEY-1[0-9A-Z]{50}"
            + "|\\bAKIA[0-9A-Z]{16}\\b"
            + "|\\bxox[abpr]-[A-Za-z0-9-]{20}"
            + "|\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}");

    /// What is left out of a text for each of them: the whole PEM key, not only its first line.
    private static final Pattern WHOLE = Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY"
            + "(?:[-A-Za-z0-9+/=\\s:,\\\\]*?-----END [A-Z0-9 ]*PRIVATE KEY-----|[-A-Za-z0-9+/=\\s:,\\\\]*+)"
            + "|\\bgh[pousr]_[A-Za-z0-9]{36,}"
            + "|\\bgithub_pat_[A-Za-z0-9_]{40,}"
            + "|\\bglpat-[A-Za-z0-9_-]{20,}"
            + "|\\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"
            + "|\\bAKIA[0-9A-Z]{16}\\b"
            + "|\\bxox[abpr]-[A-Za-z0-9-]{20,}"
            + "|\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}");

    /// Replaces what was left out. Without characters that have a meaning in JSON, HTML or a table.
    public static final String MARK = "(left out: looks like a key or a token)";

    private static final Pattern IN_URL = Pattern.compile("[a-z][a-z0-9+.-]{1,20}://[^/\\s:@]{1,200}:[^/\\s@]{1,200}@");

    /// Words of a language, paths and names in Kubernetes have less.
    private static final double BITS_A_CHARACTER = 4.3;

    private static final Pattern LONG_WORD = Pattern.compile("[A-Za-z0-9+_=-]{32,}");

    private SecretShapes() {}

    /// Forms that nothing else has.
    public static boolean known(String text) {
        return mayBegin(text) && KNOWN.matcher(text).find();
    }

    /// The text with a mark in place of each of these forms. A backslash at the end of one stays: in JSON
    /// it escapes the next character.
    public static String without(String text) {
        if (!mayBegin(text)) {
            return text;
        }
        return WHOLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(MARK + backslashes(found.group())));
    }

    /// Whether the text has the first characters of any of these forms. One pass is much faster than the patterns, and
    /// whole report branches are searched.
    private static boolean mayBegin(String text) {
        for (int i = 0; i < text.length(); i++) {
            boolean may = switch (text.charAt(i)) {
                case '-' -> text.startsWith("-----BEGIN ", i);
                case 'g' ->
                    (text.startsWith("gh", i) && text.startsWith("_", i + 3))
                            || text.startsWith("github_pat_", i)
                            || text.startsWith("glpat-", i);
                case 'A' -> text.startsWith("AGE-SECRET-KEY-1", i) || text.startsWith("AKIA", i);
                case 'x' -> text.startsWith("xox", i);
                case 'e' -> text.startsWith("eyJ", i);
                default -> false;
            };
            if (may) {
                return true;
            }
        }
        return false;
    }

    private static String backslashes(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\\') {
            end--;
        }
        return text.substring(end);
    }

    /// One of these forms, a password in a URL, or a long random word.
    public static boolean likely(String text) {
        return known(text)
                || IN_URL.matcher(text).find()
                || LONG_WORD.matcher(text).results().anyMatch(word -> isRandom(word.group()));
    }

    /// Digests use only one case and few characters.
    private static boolean isRandom(String word) {
        return word.chars().anyMatch(Character::isUpperCase)
                && word.chars().anyMatch(Character::isLowerCase)
                && word.chars().anyMatch(Character::isDigit)
                && entropy(word) >= BITS_A_CHARACTER;
    }

    /// Bits per character, after Shannon.
    private static double entropy(String word) {
        var counts = word.chars().boxed().collect(Collectors.groupingBy(c -> c, Collectors.counting()));
        return counts.values().stream()
                .mapToDouble(count -> (double) Objects.requireNonNull(count) / word.length())
                .map(share -> -share * Math.log(share) / Math.log(2))
                .sum();
    }
}
