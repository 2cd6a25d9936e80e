package io.github.etcdgitops.inert;

import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Makes foreign text safe to print. Characters that would move a cursor, hide text, change the reading
/// direction, start a line or command a CI runner appear as a readable escape such as `\u001b`. Safe text
/// passes unchanged.
public final class Inert {
    /// GitHub's older commands, Azure's `##vso[…]`, TeamCity's `##teamcity[…]`: runners find them anywhere
    /// in a line.
    private static final Pattern COMMAND = Pattern.compile("(##[\\w.-]*)\\[");

    private static final String REPLACEMENT = "\\ufffd";

    private Inert() {}

    /// One line: line breaks and tabs are escaped too. For text between our own words; emphasis stays.
    public static String line(String text) {
        return withoutCommands(escaped(text, c -> acts(c) && !Mark.is(c), Inert::escape), "$1\\\\[");
    }

    /// Serialised JSON: its line breaks stay, and a parser gets the same strings from it.
    public static String json(String json) {
        return withoutCommands(escaped(json, c -> c != '\n' && acts(c), Inert::jsonEscape), "$1\\\\u005b");
    }

    private static String jsonEscape(int c) {
        return Character.getType(c) == Character.SURROGATE
                ? REPLACEMENT
                : Character.toString(c)
                        .chars()
                        .mapToObj(unit -> String.format(Locale.ROOT, "\\u%04x", unit))
                        .collect(Collectors.joining());
    }

    /// The same string where nothing is escaped: most text is like that.
    private static String escaped(String text, IntPredicate unsafe, IntFunction<String> escape) {
        var out = new StringBuilder();
        int written = 0;
        int next;
        for (int at = 0; at < text.length(); at = next) {
            char c = text.charAt(at);
            next = at + 1;
            if (c >= ' ' && c < 0x7f) {
                continue;
            }
            int point = text.codePointAt(at);
            next = at + Character.charCount(point);
            if (unsafe.test(point)) {
                out.append(text, written, at).append(escape.apply(point));
                written = next;
            }
        }
        return written == 0 ? text : out.append(text, written, text.length()).toString();
    }

    private static String withoutCommands(String text, String otherwise) {
        return text.contains("##") ? COMMAND.matcher(text).replaceAll(otherwise) : text;
    }

    /// Whether a character does more than appear, or is invisible.
    public static boolean acts(int c) {
        if (c >= ' ' && c < 0x7f) {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> invisible(c);
        };
    }

    /// Unicode's Default_Ignorable_Code_Point, except for the categories above: letters and marks without a
    /// shape.
    private static boolean invisible(int c) {
        return c == 0x034f
                || c == 0x115f
                || c == 0x1160
                || c == 0x17b4
                || c == 0x17b5
                || (c >= 0x180b && c <= 0x180f)
                || c == 0x3164
                || (c >= 0xfe00 && c <= 0xfe0f)
                || c == 0xffa0
                || (c >= 0xe0100 && c <= 0xe01ef);
    }

    /// The escape shown in its place.
    static String escape(int c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(Locale.ROOT, c > 0xffff ? "\\u{%x}" : "\\u%04x", c);
        };
    }
}
