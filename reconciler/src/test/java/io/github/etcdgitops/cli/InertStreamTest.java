package io.github.etcdgitops.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.inert.Mark;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class InertStreamTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final InertStream out = InertStream.over(new PrintStream(bytes, true, UTF_8));

    private String written() {
        String text = bytes.toString(UTF_8);
        bytes.reset();
        return text;
    }

    @Test
    void keepsPrintedLineOnOneLine() {
        out.println("error: a\n::error file=x::b\u001b]52;c;x\u0007");

        assertThat(written()).isEqualTo("error: a\\n::error file=x::b\\u001b]52;c;x\\u0007\n");
    }

    @Test
    void whateverWayTextIsWrittenItIsInert() {
        out.printf("%s%n", "\u001b[2J");
        out.append("\u202e").println((Object) "::stop-commands::x");
        var writer = InertStream.writer(out);
        writer.println("\u009b31m");
        new IllegalStateException("a\u0007").printStackTrace(out);

        assertThat(written().lines().limit(4))
                .containsExactly(
                        "\\u001b[2J",
                        "\\u202e::stop-commands::x",
                        "\\u009b31m",
                        "java.lang.IllegalStateException: a\\u0007");
    }

    @Test
    void decodesCharacterSplitOverReads() {
        for (byte b : "ä😀\u202e\n".getBytes(UTF_8)) {
            out.write(b);
        }
        out.flush();

        assertThat(written()).isEqualTo("ä😀\\u202e\n");
    }

    @Test
    void bytesThatAreNoTextAreReplaced() {
        out.write(new byte[] {'a', (byte) 0xff, (byte) 0x9b, 'b', '\n'}, 0, 5);

        assertThat(written()).isEqualTo("a\ufffd\ufffdb\n");
    }

    @Test
    void onlyCommandsThatWeWantAreCommands() {
        out.commands("::error file=a::b\n");
        out.print("::error file=a::b\n");

        assertThat(written()).isEqualTo("::error file=a::b\n:\\:error file=a::b\n");
    }

    @Test
    void emphasisAndTheLineThatChangesAreSequences() {
        out.clearLine();
        out.println(Mark.GOOD.around("ok"));

        assertThat(written()).isEqualTo("\r\u001b[K\u001b[32mok\u001b[0m\n");
    }

    @Test
    void writesLongTextCompletely() {
        String text = "ä".repeat(100_000) + "\n";

        out.print(text);

        assertThat(written()).isEqualTo(text);
    }

    @Test
    void wrapsStreamOnlyOnce() {
        assertThat(InertStream.over(out)).isSameAs(out);
    }
}
