package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.publish.ReportHistory;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.pipeline.ReportBranch;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.rehearsal.Replay;
import io.github.etcdgitops.spec.DesiredState;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "replay",
        description = "Evaluates the policies of a folder against published plans, and shows which allowed operations"
                + " they would have stopped. Changes nothing, and needs no cluster.",
        mixinStandardHelpOptions = true)
final class PolicyReplayCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Folder of the config repository whose policies and Fleet are evaluated. Default: .")
    Path path = Path.of(".");

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Option(
            names = "--last",
            paramLabel = "N",
            description = "Number of plans, newest first. Default: 200",
            defaultValue = "200")
    int last = 200;

    @Mixin
    private final Options.Output output = new Options.Output();

    PolicyReplayCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var judge = LocalTree.repository(path);
        var asked = SpecLoader.load(judge);
        String environment = Environments.ofRun(repository.environment(), asked.fleet());
        try (var git = Source.repository(repository, process.environment())) {
            var published = new ReportHistory(git)
                    .read(ReportBranch.name(environment), ReportBranch.PLAN, ReportBranch.SOURCE, last).stream()
                            .map(e -> new Replay.Published(e.at(), e.trailer(), e.text()))
                            .toList();
            var replay = Replay.of(published, commit -> desired(git, commit, judge));
            new Outputs(output, process.terminal(), process.out()).write(new ReplayReport(replay, asked.violations()));
            return (asked.violations().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID).code();
        }
    }

    /// A commit may be gone: the branch was rewritten since.
    private static Optional<DesiredState> desired(GitRepository git, String commit, SourceTree judge) {
        try {
            return Optional.of(SpecLoader.load(git.read(git.resolve(commit)), judge));
        } catch (GitException e) {
            if (e.kind() == GitException.Kind.NO_SUCH_REF) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
