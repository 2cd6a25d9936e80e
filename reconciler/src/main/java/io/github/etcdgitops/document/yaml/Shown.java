package io.github.etcdgitops.document.yaml;

import io.github.etcdgitops.inert.Inert;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// How a message shows a value from a user's file: short, on one line, and never when it may be a secret.
public final class Shown {
    private static final int LIMIT = 60;
    private static final Pattern SECRET_KEY = Pattern.compile(
            "passw|passphrase|secret|token|credential|private|api-?_?key|access-?_?key|bearer|authorization",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern SECRET_VALUE =
            Pattern.compile("-----BEGIN|://[^/\\s]{1,200}@|^eyJ[A-Za-z0-9_-]{8}|(?i)AGE-SECRET-KEY-");

    /// Beside a secret, and numbers themselves.
    private static final Set<String> NUMBERS = Set.of("number", "ttlSeconds");

    private Shown() {}

    /// Whether anything below this path may be shown at all.
    public static boolean mayShow(List<String> path) {
        return path.stream().noneMatch(segment -> SECRET_KEY.matcher(segment).find());
    }

    /// The same for a number that stands there.
    static boolean mayShowNumber(List<String> path) {
        return mayShow(path) || NUMBERS.contains(path.getLast());
    }

    public static String quoted(String text) {
        return SECRET_VALUE.matcher(text).find() ? "(not shown)" : '"' + plain(text) + '"';
    }

    /// Without quotes, and without control characters.
    public static String plain(String text) {
        if (SECRET_VALUE.matcher(text).find()) {
            return "(not shown)";
        }
        return text.codePointCount(0, text.length()) > LIMIT
                ? Inert.line(text.substring(0, text.offsetByCodePoints(0, LIMIT))) + "…"
                : Inert.line(text);
    }

    /// `spec.storage.size`, `spec.tolerations[0]`, for people.
    public static String path(List<String> path) {
        var shown = new StringBuilder();
        for (String segment : path) {
            boolean index = !segment.isEmpty() && segment.chars().allMatch(c -> c >= '0' && c <= '9');
            if (index) {
                shown.append('[').append(segment).append(']');
            } else {
                shown.append(shown.isEmpty() ? "" : ".").append(plain(segment));
            }
        }
        return shown.isEmpty() ? "the document" : shown.toString();
    }

    /// RFC 6901.
    public static String pointer(List<String> path) {
        var pointer = new StringBuilder();
        path.forEach(
                segment -> pointer.append('/').append(segment.replace("~", "~0").replace("/", "~1")));
        return pointer.toString();
    }
}
