package io.github.etcdgitops.cli;

import io.github.etcdgitops.document.LocalTree;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.GitAccess;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.RepositoryAddress;
import io.github.etcdgitops.plan.Finding;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Json;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.Rendering;
import io.github.etcdgitops.report.Style;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Ratchet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "validate",
        description =
                "Checks documents: syntax, schemas, cross-checks, rules. Needs no cluster, no network and no secret.",
        mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
    /// As Git shortens commits.
    private static final int SHORT = 7;

    private final Cli.Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "PATH", description = "Folders of config repositories. Default: .")
    List<Path> paths = new ArrayList<>();

    @Option(
            names = "--base",
            paramLabel = "REF",
            description = "Also refuses what must not be taken back and was since this revision of the same repository:"
                    + " a branch, a tag, a full ref or a commit. Default: nothing is compared.")
    @Nullable
    String base;

    @Mixin
    private final Options.Output output = new Options.Output();

    @Mixin
    private final Options.Failing failing = new Options.Failing();

    ValidateCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var code = ExitCode.SUCCESS;
        for (DesiredState desired : read()) {
            var advice = new TreeMap<String, List<Finding>>();
            var policies = new PolicyEngine(desired.fleet(), desired.approvals());
            desired.rings().forEach((ref, spec) -> advice.put(ref.toString(), policies.admit(spec)));
            new Outputs(output, process.terminal(), process.out()).write(new Checked(desired, advice));
            boolean advised = advice.values().stream().anyMatch(f -> !f.isEmpty());
            code = ExitCode.worst(code, desired.violations().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID);
            code = ExitCode.worst(
                    code, advised && failing.failOn == Options.FailOn.WARN ? ExitCode.DENIED : ExitCode.SUCCESS);
        }
        return code.code();
    }

    /// Each folder is a config repository of its own; files are checked on their own, wherever they
    /// stand.
    private List<DesiredState> read() {
        var all = new ArrayList<DesiredState>();
        var folders = paths.isEmpty()
                ? List.of(Path.of("."))
                : paths.stream().filter(Files::isDirectory).toList();
        folders.forEach(folder -> all.add(sinceBase(folder, SpecLoader.load(LocalTree.repository(folder)))));
        var files = paths.stream().filter(path -> !Files.isDirectory(path)).toList();
        if (!files.isEmpty()) {
            if (base != null) {
                throw new ParameterException(spec.commandLine(), "--base is one of a repository: name its folder");
            }
            all.add(SpecLoader.loadLoose(LocalTree.files(files)));
        }
        return all;
    }

    private DesiredState sinceBase(Path folder, DesiredState now) {
        String ref = base;
        if (ref == null) {
            return now;
        }
        var address = RepositoryAddress.parse(folder.toAbsolutePath().toString(), folder.toAbsolutePath());
        try (var repository = GitRepository.open(address, GitAccess.none(), Source.cacheDir(process.environment()))) {
            String commit = repository.resolve(ref);
            var before = SpecLoader.load(repository.read(commit));
            return now.with(Ratchet.violations(before, commit.substring(0, SHORT), now));
        }
    }

    /// What a check found, in all its forms.
    private record Checked(DesiredState desired, Map<String, List<Finding>> advice) implements Rendering {
        @Override
        public String human(Style style) {
            var out = new StringBuilder(new Human(style).violations(desired.violations()));
            advice.forEach((ring, findings) ->
                    findings.forEach(f -> out.append(style.strong().apply(ring))
                            .append(": ")
                            .append(style.doubt().apply("warning"))
                            .append(" [")
                            .append(f.code())
                            .append("] ")
                            .append(f.message())
                            .append('\n')));
            out.append(count(desired.rings().size(), "ring")).append(" valid, ");
            out.append(count(desired.violations().size(), "violation")).append(".\n");
            return out.toString();
        }

        private static String count(int number, String noun) {
            return number + " " + noun + (number == 1 ? "" : "s");
        }

        @Override
        public String json() {
            var document = new TreeMap<String, Object>();
            document.put("kind", "Validation");
            document.put("formatVersion", PlanJson.FORMAT);
            document.put(
                    "rings",
                    desired.rings().keySet().stream().map(Object::toString).toList());
            document.put(
                    "violations",
                    desired.violations().stream().map(PlanJson::violation).toList());
            return Json.write(document);
        }

        @Override
        public String markdown() {
            return human(Style.PLAIN);
        }
    }
}
