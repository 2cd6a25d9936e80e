package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/command-line.md is what the commands say of themselves; `-Dgolden.update=true` writes it anew.
class CommandLinePageTest {
    private static final Path PAGE = Path.of("../docs/command-line.md");
    private static final List<String> COMMANDS = List.of(
            "validate",
            "plan",
            "apply",
            "reconcile",
            "serve",
            "status",
            "volumes",
            "approve",
            "backup",
            "restore",
            "drill",
            "adopt",
            "doctor",
            "schema",
            "features",
            "catalog",
            "advisories",
            "upgrade",
            "versions",
            "policy",
            "review",
            "completion",
            "version");

    /// Commands of commands, each after its own.
    private static final Map<String, List<String>> BELOW = Map.of(
            "backup", List.of("create", "list", "verify", "prune"),
            "catalog", List.of("check"),
            "upgrade", List.of("check"),
            "versions", List.of("propose"),
            "policy", List.of("list", "explain", "test", "replay"),
            "review", List.of("comment", "status"));

    private static final String HEAD = """
        # The command line

        What `etcd-gitops COMMAND --help` says. Each option can also be given as `ETCD_GITOPS_<OPTION>` in the environment, or as a
        line `option=value` in the file that `ETCD_GITOPS_CONFIG` names; the command line overrides the environment, which overrides
        the file. [Exit codes](exit-codes.md) have a page of their own.
        """;

    @Test
    void pageMatchesCommandHelp() throws IOException {
        var page = new StringBuilder(HEAD);
        for (String command : COMMANDS) {
            describe(page, "##", command);
            BELOW.getOrDefault(command, List.of()).forEach(below -> describe(page, "###", command, below));
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(PAGE, page);
        }

        assertThat(page.toString()).as("docs/command-line.md").isEqualTo(Files.readString(PAGE));
        assertThat(Ran.of().out()).contains(COMMANDS);
    }

    private static void describe(StringBuilder page, String level, String... command) {
        page.append('\n')
                .append(level)
                .append(' ')
                .append(String.join(" ", command))
                .append("\n\n```\n");
        Ran.of(Stream.concat(Stream.of(command), Stream.of("--help")).toArray(String[]::new))
                .out()
                .lines()
                .forEach(line -> page.append(line.stripTrailing()).append('\n'));
        page.append("```\n");
    }
}
