package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Terminal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {
    private static final InertStream NOWHERE = InertStream.over(new PrintStream(OutputStream.nullOutputStream()));
    private static final Surface SURFACE = new Surface(Map.of(), NOWHERE, NOWHERE, Terminal.of(Map.of()));

    @ParameterizedTest
    @FieldSource("io.github.etcdgitops.cli.Commands#NAMES")
    void namesMatchTheCommands(String name) {
        assertThat(Cli.commands(SURFACE).getSubcommands().get(name).getCommandName())
                .isEqualTo(name);
    }

    @Test
    void buildsOnlyTheNamedCommand() {
        assertThat(Commands.named(new CommandLine(new Cli()), SURFACE, new String[] {"version", "plan"})
                        .getSubcommands())
                .containsOnlyKeys("version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "help plan", "completion", "paln"})
    void buildsEachCommandForAnAnswerAboutAll(String line) {
        assertThat(Commands.named(new CommandLine(new Cli()), SURFACE, line.split(" "))
                        .getSubcommands()
                        .keySet())
                .containsExactlyElementsOf(Commands.NAMES);
    }
}
