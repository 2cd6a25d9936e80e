package io.github.etcdgitops.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.inert.LineFilter;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/// Standard output or standard error: all output reaches a terminal or the log of a CI job without control
/// sequences. Only emphasis and the progress line pass.
public final class InertStream extends PrintStream {
    private final PrintStream target;
    private final LineFilter filter;

    private InertStream(PrintStream target, LineFilter filter) {
        super(new Filtering(target, filter), true, UTF_8);
        this.target = target;
        this.filter = filter;
    }

    public static InertStream over(PrintStream target) {
        return target instanceof InertStream inert ? inert : new InertStream(target, new LineFilter());
    }

    public static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, UTF_8);
    }

    /// One line, whatever it contains.
    @Override
    public void println(@Nullable String text) {
        super.println(Inert.line(String.valueOf(text)));
    }

    /// Lines that are intended as commands of a CI runner.
    public synchronized void commands(String text) {
        filter.commands(true);
        print(text);
        flush();
        filter.commands(false);
    }

    /// Returns to the start of the progress line, and clears it.
    public void clearLine() {
        flush();
        target.print("\r\u001b[K");
        target.flush();
    }

    /// UTF-8 bytes; a character may come in two pieces.
    private static final class Filtering extends OutputStream {
        private static final int ROOM = 8192;

        private final PrintStream target;
        private final LineFilter filter;
        private final CharsetDecoder decoder = UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        private ByteBuffer rest = ByteBuffer.allocate(0);

        Filtering(PrintStream target, LineFilter filter) {
            this.target = target;
            this.filter = filter;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            for (int at = 0; at < length; at += ROOM) {
                pass(bytes, from + at, Math.min(ROOM, length - at));
            }
        }

        private void pass(byte[] bytes, int from, int length) {
            var in = ByteBuffer.allocate(rest.remaining() + length)
                    .put(rest)
                    .put(bytes, from, length)
                    .flip();
            // Valid UTF-8 has at most as many UTF-16 units as bytes.
            var text = CharBuffer.allocate(in.remaining() + 1);
            decoder.decode(in, text, false);
            rest = ByteBuffer.allocate(in.remaining()).put(in).flip();
            var inert = new StringBuilder();
            text.flip().toString().codePoints().forEach(c -> filter.pass(c, inert));
            target.print(inert);
        }

        @Override
        public void flush() {
            target.flush();
        }
    }
}
