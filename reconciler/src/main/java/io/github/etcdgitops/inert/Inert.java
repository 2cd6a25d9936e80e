package io.github.etcdgitops.inert;

import java.util.Locale;
import java.util.regex.Pattern;

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
        if (isPlain(text, ' ')) {
            return text;
        }
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> out.append(acts(c) && !Mark.is(c) ? escape(c) : Character.toString(c)));
        return COMMAND.matcher(out).replaceAll("$1\\\\[");
    }

    /// Serialised JSON: its line breaks stay, and a parser gets the same strings from it.
    public static String json(String json) {
        if (isPlain(json, '\n')) {
            return json;
        }
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

    /// Whether there is only printable ASCII and `also`, and nothing that begins a command. Most text is like that.
    private static boolean isPlain(String text, char also) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != also) || c >= 0x7f || (c == '#' && text.startsWith("##", i))) {
                return false;
            }
        }
        return true;
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
