package io.github.etcdgitops.inert;

import java.io.IOException;
import java.io.Writer;

/// Makes a long text safe to print while it is written. Flushing passes on all but half a character.
public final class InertWriter extends Writer {
    private static final int PIECE = 8 << 10;

    private final Writer to;
    private final Form form;
    private final StringBuilder piece = new StringBuilder(PIECE);
    private final char[] chars = new char[1 << 10];
    private int high;

    /// One form of safe text.
    interface Form {
        /// Appends a code point to `out`, or an escape in its place.
        void pass(int c, StringBuilder out);

        /// How many characters from `from` on are passed as they are, and change nothing for those after them.
        int plain(char[] text, int from, int end);
    }

    private InertWriter(Writer to, Form form) {
        this.to = to;
        this.form = form;
    }

    /// As [LineFilter#block].
    public static InertWriter block(Writer to) {
        return new InertWriter(to, new LineFilter());
    }

    /// As [Inert#json].
    public static InertWriter json(Writer to) {
        return new InertWriter(to, new JsonFilter());
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        int end = from + length;
        int i = from;
        while (i < end) {
            int plain = high == 0 ? form.plain(text, i, end) : 0;
            if (plain > 0) {
                piece.append(text, i, plain);
                i += plain;
            } else {
                next(text[i]);
                i++;
            }
            if (piece.length() >= PIECE) {
                pass();
            }
        }
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
        int end = from + length;
        for (int i = from; i < end; i += chars.length) {
            int more = Math.min(chars.length, end - i);
            text.getChars(i, i + more, chars, 0);
            write(chars, 0, more);
        }
    }

    private void next(char c) {
        if (high != 0) {
            boolean pair = Character.isLowSurrogate(c);
            form.pass(pair ? Character.toCodePoint((char) high, c) : high, piece);
            high = 0;
            if (pair) {
                return;
            }
        }
        if (Character.isHighSurrogate(c)) {
            high = c;
        } else {
            form.pass(c, piece);
        }
    }

    private void pass() throws IOException {
        to.append(piece);
        piece.setLength(0);
    }

    @Override
    public void flush() throws IOException {
        pass();
        to.flush();
    }

    @Override
    public void close() throws IOException {
        if (high != 0) {
            form.pass(high, piece);
            high = 0;
        }
        pass();
        to.close();
    }
}
