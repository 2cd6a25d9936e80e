package io.github.etcdgitops.inert;

/// Passes text on, character by character, and escapes control characters. Line breaks and tabs pass; a
/// line that would be a command of a CI runner gets a backslash. Our own emphasis becomes the terminal's
/// sequence for it.
public final class LineFilter {
    private boolean commands;
    private boolean margin = true;
    private boolean colon;
    private int hashes;

    /// Makes several lines safe to print; only text that we compose may have several.
    public static String block(String text) {
        return new LineFilter().piece(text);
    }

    /// The same for the next piece of a long text.
    public String piece(String text) {
        var out = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int plain = plain(text, at);
            if (plain > at) {
                out.append(text, at, plain);
                at = plain;
            } else {
                int c = text.codePointAt(at);
                pass(c, out);
                at += Character.charCount(c);
            }
        }
        return out.toString();
    }

    /// The end of the characters that are passed as they are and mean nothing for those after them. Most are like that.
    private int plain(String text, int from) {
        int end = from;
        while (!margin && !colon && hashes == 0 && end < text.length() && isPlain(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isPlain(char c) {
        return c >= ' ' && c < 0x7f && c != '#';
    }

    /// While it is true, lines may start with `::`: our own commands for GitHub's annotations.
    public void commands(boolean allowed) {
        commands = allowed;
    }

    public void pass(int c, StringBuilder out) {
        if (c == '\n') {
            out.append('\n');
            margin = true;
            colon = false;
            hashes = 0;
            return;
        }
        if (Mark.is(c)) {
            out.append(Mark.sequence(c));
            return;
        }
        if (commands(c)) {
            out.append('\\');
        }
        follow(c);
        if (c == '\t' || !Inert.acts(c)) {
            out.appendCodePoint(c);
        } else {
            out.append(Inert.escape(c));
        }
    }

    private boolean commands(int c) {
        return (c == ':' && colon && !commands) || (c == '[' && hashes >= 2);
    }

    private void follow(int c) {
        colon = c == ':' && margin;
        margin = margin && Character.isWhitespace(c);
        if (c == '#') {
            hashes++;
        } else if (hashes < 2 || !(Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.')) {
            hashes = 0;
        }
    }
}
