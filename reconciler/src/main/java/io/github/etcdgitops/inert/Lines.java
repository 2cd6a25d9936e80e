package io.github.etcdgitops.inert;

/// Lines for people. Only this class ends a line: a line break in appended text appears as `\n`, so that no
/// name and no message can forge a line.
public final class Lines {
    private final StringBuilder text = new StringBuilder();

    /// The text of `words`, on one line.
    public static Lines of(String words) {
        return new Lines().append(words).end();
    }

    /// Our own or foreign text.
    public Lines append(Object words) {
        text.append(Inert.line(String.valueOf(words)));
        return this;
    }

    public Lines append(Lines lines) {
        text.append(lines.text);
        return this;
    }

    public Lines end() {
        text.append('\n');
        return this;
    }

    public boolean isEmpty() {
        return text.isEmpty();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
