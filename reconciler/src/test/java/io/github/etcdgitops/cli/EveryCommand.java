package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Terminal;
import io.github.etcdgitops.fake.FakeForge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;

/// Command lines of every command, with every format that it has: the first one printed, the others to files `out.*`
/// in `folder`. `repository` is the work tree, `repo` what runs are told to read.
record EveryCommand(Path folder, Path repository, String repo, Path kubeconfig, String forge) {
    /// These wait for somebody, or run for ever.
    static final List<String> ELSEWHERE = List.of("serve", "receive", "settle", "copy", "tell", "room");

    /// By its whole name; what it takes besides the repository and the kubeconfig.
    Map<String, List<String>> arguments() throws IOException {
        String plan = Files.writeString(folder.resolve("plan.json"), "{\"kind\":\"Plan\"}")
                .toString();
        String text = Files.writeString(folder.resolve("plan.md"), "# Plan\n").toString();
        var review = List.of("--forge", "github", "--repository", "acme/rings", "--api-url", forge);
        var arguments = new TreeMap<String, List<String>>();
        arguments.put("versions propose", List.of());
        for (String name :
                List.of("plan", "status", "reconcile", "volumes", "doctor", "backup list", "upgrade check")) {
            arguments.put(name, List.of());
        }
        for (String name : List.of("backup create", "backup verify", "backup prune", "restore", "drill", "adopt")) {
            arguments.put(name, List.of("demo/orders"));
        }
        arguments.put("validate", List.of(repository.toString(), "--base", "main"));
        arguments.put("apply", List.of(plan));
        arguments.put("approve", List.of("--by", "kim", "--reason", "why"));
        arguments.put("features", List.of(repository.toString()));
        arguments.put("catalog check", List.of(repository.toString()));
        arguments.put("advisories", List.of(repository.toString()));
        arguments.put("policy list", List.of(repository.toString()));
        arguments.put("policy explain", List.of("odd-members"));
        arguments.put("policy test", List.of(repository.toString()));
        arguments.put("policy replay", List.of(repository.toString(), "--repo", repository.toString()));
        arguments.put("schema", List.of());
        arguments.put("completion", List.of());
        arguments.put("version", List.of());
        arguments.put("help", List.of());
        arguments.put("review comment", joined(review, List.of("--pull-request", "12", "--from", text)));
        arguments.put(
                "review status",
                joined(review, List.of("--commit", FakeForge.COMMIT, "--state", "success", "--description", "well")));
        return arguments;
    }

    private static List<String> joined(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    private static Map<String, CommandLine> leaves(String before, CommandLine commands) {
        var leaves = new TreeMap<String, CommandLine>();
        commands.getSubcommands().forEach((name, command) -> {
            if (command.getSubcommands().isEmpty()) {
                leaves.put((before + " " + name).strip(), command);
            } else {
                leaves.putAll(leaves(before + " " + name, command));
            }
        });
        return leaves;
    }

    static Map<String, CommandLine> leaves() {
        var nowhere = InertStream.over(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
        return leaves("", Cli.commands(new Surface(Map.of(), nowhere, nowhere, Terminal.of(Map.of()))));
    }

    /// All formats that the command has: the first one printed, the others to files.
    private List<String> formats(CommandLine command) {
        return command.getCommandSpec().mixins().values().stream()
                .map(mixin -> mixin.userObject())
                .filter(Options.Output.class::isInstance)
                .map(Options.Output.class::cast)
                .findFirst()
                .map(output -> {
                    var formats = new ArrayList<String>();
                    for (String format : List.of("human", "json", "junit", "sarif", "github", "markdown", "html")) {
                        output.formats = List.of(format);
                        if (Outputs.refusal(output).isEmpty()) {
                            formats.add(formats.isEmpty() ? format : format + "=" + folder.resolve("out." + format));
                        }
                    }
                    return formats;
                })
                .orElse(new ArrayList<>());
    }

    List<String> line(String name, CommandLine command) throws IOException {
        var line = new ArrayList<>(List.of(name.split(" ")));
        line.addAll(arguments().getOrDefault(name, List.of()));
        var options = command.getCommandSpec().optionsMap().keySet();
        if (options.contains("--repo")) {
            line.addAll(List.of("--repo", repo));
            line.addAll(List.of("--environment", "production"));
        }
        if (options.contains("--kubeconfig")) {
            line.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        }
        if (options.contains("--log-format")) {
            line.addAll(List.of("--log-format", "json"));
        }
        var formats = formats(command);
        if (!formats.isEmpty()) {
            line.addAll(List.of("-o", String.join(",", formats)));
        }
        return line;
    }
}
