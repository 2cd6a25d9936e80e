package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Moment;
import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.BaseOptions;
import io.github.etcdgitops.cli.wiring.OfflineWiring;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.document.ReadFiles;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.spec.DesiredState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
public final class ValidateCommand implements Callable<Integer> {
    private final Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "PATH", description = "Folders of config repositories. Default: .")
    List<Path> paths = new ArrayList<>();

    @Mixin
    private final BaseOptions base = new BaseOptions();

    @Option(
            names = "--now",
            paramLabel = "TIME",
            converter = Moment.class,
            description = "Evaluate the policies for this time instead of now. RFC 3339, such as"
                    + " 2027-03-28T02:30:00+01:00.")
    @Nullable
    Instant now;

    @Mixin
    private final Options.Output output = new Options.Output(MoreFormats.CHECKS);

    @Mixin
    private final Options.Failing failing = new Options.Failing();

    public ValidateCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var code = ExitCode.SUCCESS;
        var time = now == null ? Surface.clock().instant() : now;
        for (Read read : read()) {
            var desired = read.desired().with(OfflineWiring.placesRefused(read.desired(), process.environment()));
            var checked = ValidationResult.of(desired, time, read.plans(desired, time));
            new Outputs(output, process.terminal(), process.out()).write(checked);
            code = ExitCode.worst(code, checked.code(failing.failOn));
        }
        return code.code();
    }

    /// Documents, and the revision that they change, where one is named.
    private record Read(DesiredState desired, Optional<BaseOptions.Base> base) {
        /// Their plans for rings that match that revision.
        List<FleetPlan> plans(DesiredState checked, Instant time) {
            return base.map(before -> OfflineWiring.at(time).plans(before.desired(), checked, before.title()))
                    .orElse(List.of());
        }
    }

    /// Each folder is its own config repository; files are checked alone, wherever they are.
    private List<Read> read() {
        var all = new ArrayList<Read>();
        var folders = paths.isEmpty()
                ? List.of(Path.of("."))
                : paths.stream().filter(Files::isDirectory).toList();
        folders.forEach(folder -> all.add(read(folder)));
        var files = paths.stream().filter(path -> !Files.isDirectory(path)).toList();
        if (!files.isEmpty()) {
            if (base.ref != null) {
                throw new ParameterException(
                        spec.commandLine(), "--base needs the folder of a repository, and files were given");
            }
            all.add(new Read(SpecLoader.loadLoose(LocalTree.files(files)), Optional.empty()));
        }
        return all;
    }

    private Read read(Path folder) {
        var files = new ReadFiles();
        var tree = LocalTree.repository(folder, files::begin);
        if (base.ref == null) {
            if (base.policies) {
                throw new ParameterException(spec.commandLine(), "--base-policies needs --base");
            }
            return new Read(SpecLoader.load(tree, files), Optional.empty());
        }
        if (!LocalTree.isRoot(folder)) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    folder + " is not the root of a Git repository, so there are no commits to compare with");
        }
        var address = RepositoryAddress.parse(folder.toAbsolutePath().toString(), folder.toAbsolutePath());
        try (var repository = GitRepository.open(address, GitAccess.none(), Source.cacheDir(process.environment()))) {
            var changed = SpecLoader.load(tree, files);
            var before = base.read(repository, files).orElseThrow();
            return new Read(before.judged(changed, () -> tree), Optional.of(before));
        }
    }
}
