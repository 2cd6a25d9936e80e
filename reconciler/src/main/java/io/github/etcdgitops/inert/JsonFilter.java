package io.github.etcdgitops.inert;

/// Passes serialised JSON on, character by character, as [Inert#json] does with a whole text.
final class JsonFilter implements InertWriter.Form {
    private int hashes;
    private boolean word;

    @Override
    public int plain(char[] text, int from, int end) {
        int i = from;
        while (hashes == 0 && i < end && (text[i] >= ' ' || text[i] == '\n') && text[i] < 0x7f && text[i] != '#') {
            i++;
        }
        return i - from;
    }

    @Override
    public void pass(int c, StringBuilder out) {
        if (c == '[' && hashes >= 2) {
            out.append("\\u005b");
        } else if (c == '\n' || !Inert.acts(c)) {
            out.appendCodePoint(c);
        } else {
            Inert.escapeInJson(c, out);
        }
        follow(c);
    }

    /// A command begins with two hashes and the characters of a word.
    private void follow(int c) {
        if (c == '#') {
            hashes = word ? 1 : hashes + 1;
            word = false;
        } else {
            word = hashes >= 2 && isOfWord(c);
            hashes = word ? hashes : 0;
        }
    }

    private static boolean isOfWord(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '.'
                || c == '-';
    }
}
