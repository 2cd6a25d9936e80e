package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.doctor.Diagnosis;
import io.github.etcdgitops.doctor.DiagnosisText;
import io.github.etcdgitops.doctor.Expected;
import io.github.etcdgitops.doctor.exam.Asking;
import io.github.etcdgitops.doctor.exam.BackupExam;
import io.github.etcdgitops.doctor.exam.ClusterExam;
import io.github.etcdgitops.doctor.exam.GitExam;
import io.github.etcdgitops.doctor.exam.ProcessExam;
import io.github.etcdgitops.doctor.fact.ClusterFacts;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.MemberFacts;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.access.Permission;
import io.github.etcdgitops.git.GitRepository;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "doctor",
        description = "Checks everything that a run needs, and says what is wrong and how to fix it. Changes nothing.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private final Surface process;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Mixin
    private final Options.Output output = new Options.Output();

    @Option(
            names = "--identity",
            paramLabel = "planner|executor",
            description = "The role of this identity: a planner needs no right to change anything. Default: executor",
            defaultValue = "executor")
    Permission.Role identity = Permission.Role.EXECUTOR;

    @Option(
            names = "--write-check",
            description = "Also ask the Git server whether it would accept a push; nothing is pushed.")
    boolean write;

    DoctorCommand(Surface process) {
        this.process = process;
    }

    private record Kubernetes(ClusterFacts cluster, Fact<MemberFacts> members) {}

    @Override
    public Integer call() {
        var machine = ProcessExam.look(process.environment(), Source.cacheDir(repository, process.environment()));
        var git = git();
        var kubernetes = kubernetes(git);
        var expected = Expected.of(
                identity, MemberAccessMode.parse(cluster.memberAccess).orElse(MemberAccessMode.AUTO), git);
        var backups = new BackupExam(Wiring.stores(process.environment()), Surface.clock()).look(git);
        var diagnosis =
                Diagnosis.of(machine, git, write, kubernetes.cluster(), expected, kubernetes.members(), backups);
        new Outputs(output, process.terminal(), process.out())
                .write(new DiagnosisText(diagnosis, process.terminal().ascii()));
        return diagnosis.troubles().stream()
                .map(ExitCode::of)
                .reduce(ExitCode.SUCCESS, ExitCode::worst)
                .code();
    }

    private GitFacts git() {
        var address = Asking.of(() -> Source.address(repository));
        var access = Asking.of(() -> Source.access(repository, process.environment()));
        Fact<GitRepository> opened = Asking.then(address, _ -> Source.repository(repository, process.environment()));
        try {
            return Wiring.gitExam(new GitExam.Wanted(repository.ref, repository.environment(), write))
                    .look(address, access, opened);
        } finally {
            opened.optional().ifPresent(GitRepository::close);
        }
    }

    private Kubernetes kubernetes(GitFacts git) {
        return switch (Asking.of(() -> Wiring.open(cluster, process.environment()))) {
            case Fact.Seen<Wiring>(Wiring opened) -> {
                try (var wiring = opened) {
                    var facts = wiring.examineCluster(git);
                    boolean reached = facts.server().optional().isPresent();
                    yield new Kubernetes(facts, reached ? wiring.examineMembers(git) : new Fact.Unasked<>());
                }
            }
            case Fact.Unseen<Wiring>(Trouble trouble, String reason) ->
                new Kubernetes(ClusterExam.without(trouble, reason), new Fact.Unasked<>());
            case Fact.Unasked<Wiring> _ -> throw new IllegalStateException("it was asked");
        };
    }
}
