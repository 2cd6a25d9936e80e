package io.github.etcdgitops.inert;

import java.util.Locale;
import java.util.regex.Pattern;

/// Makes foreign text inert: what would move a cursor, hide, turn the reading direction, begin a line or command a
/// CI runner is shown as an escape that can be read, such as `\u001b`. Inert text passes unchanged.
public final class Inert {
    /// GitHub's older commands, Azure's `##vso[…]`, TeamCity's `##teamcity[…]`: runners find them anywhere in a line.
    private static final Pattern COMMAND = Pattern.compile("(##[\\w.-]*)\\[");

    private static final String REPLACEMENT = "\\ufffd";

    private Inert() {}

    /// One line: line breaks and tabs are shown too. For whatever is put between words of our own; emphasis stays.
    public static String line(String text) {
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> out.append(acts(c) && !Mark.is(c) ? escape(c) : Character.toString(c)));
        return COMMAND.matcher(out).replaceAll("$1\\\\[");
    }

    /// JSON, as it was serialised: its line breaks stay, the strings in it are the same for whoever parses it.
    public static String json(String json) {
        var out = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if (c == '\n' || !acts(c)) {
                out.appendCodePoint(c);
            } else if (Character.getType(c) == Character.SURROGATE) {
                out.append(REPLACEMENT);
            } else {
                Character.toString(c).chars().forEach(unit -> out.append(String.format(Locale.ROOT, "\\u%04x", unit)));
            }
        });
        return COMMAND.matcher(out).replaceAll("$1\\\\u005b");
    }

    /// Whether a character does more than be seen, or is not seen at all.
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

    /// Unicode's Default_Ignorable_Code_Point, as far as it is not of a category above: letters and marks without a
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

    /// How it is shown instead.
    static String escape(int c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(Locale.ROOT, c > 0xffff ? "\\u{%x}" : "\\u%04x", c);
        };
    }
}
