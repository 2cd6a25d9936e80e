package io.github.etcdgitops.inert;

/// Passes text on, character by character, and escapes control characters. Line breaks and tabs pass; a
/// line that would be a command of a CI runner gets a backslash. Our own emphasis becomes the terminal's
/// sequence for it.
public final class LineFilter implements InertWriter.Form {
    private boolean commands;
    private boolean margin = true;
    private boolean colon;
    private int hashes;

    /// Makes several lines safe to print; only text that we compose may have several.
    public static String block(String text) {
        var filter = new LineFilter();
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> filter.pass(c, out));
        return out.toString();
    }

    /// While it is true, lines may start with `::`: our own commands for GitHub's annotations.
    public void commands(boolean allowed) {
        commands = allowed;
    }

    @Override
    public int plain(char[] text, int from, int end) {
        int i = from;
        while (!margin && !colon && hashes == 0 && i < end && text[i] >= ' ' && text[i] < 0x7f && text[i] != '#') {
            i++;
        }
        return i - from;
    }

    @Override
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
