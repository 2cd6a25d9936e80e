package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Somebody copies the command that a message proposes at three in the morning: it must be one.
class ProposedCommandsTest {
    private static final Pattern PROPOSED =
            Pattern.compile("etcd-gitops ([a-z]+ [^`|;(\\n\"\\\\]*--[a-z][^`|;(\\n\"\\\\]*)");

    /// Whole commands in the plans that the golden files show.
    static Stream<String> commands() throws IOException {
        var found = new TreeSet<String>();
        try (var files = Files.list(Path.of("src/test/resources/golden/plans"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".txt")).toList()) {
                PROPOSED.matcher(Files.readString(file))
                        .results()
                        .forEach(match -> found.add(match.group(1).strip()));
            }
        }
        found.add("approve --rules 0123456789abcdef --by NAME --reason WHY");
        found.add("backup create demo/orders");
        found.add("adopt demo/orders");
        return found.stream();
    }

    @Test
    void findsThoseThatPlansPropose() throws IOException {
        assertThat(commands()).anyMatch(command -> command.startsWith("approve --operation"));
        assertThat(commands()).anyMatch(command -> command.contains("--cluster-id"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void parsesAsItStands(String command) {
        var nowhere = InertStream.over(new PrintStream(OutputStream.nullOutputStream()));
        var commands = Cli.commands(new Surface(Map.of(), nowhere, nowhere, Terminal.of(Map.of())));

        assertThatCode(() -> commands.parseArgs(command.split(" "))).doesNotThrowAnyException();
    }
}
