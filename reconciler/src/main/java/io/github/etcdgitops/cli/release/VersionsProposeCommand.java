package io.github.etcdgitops.cli.release;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.review.ForgeOptions;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.document.ReadFiles;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.remote.Retry;
import io.github.etcdgitops.pipeline.VersionProposal;
import io.github.etcdgitops.report.PatchText;
import io.github.etcdgitops.report.table.PatchTable;
import io.github.etcdgitops.review.OnePullRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "propose",
        description = "Finds rings that security advisories hit, by the version and TLS in each document, and raises"
                + " each to the smallest release of the same minor version that ends them. Without --commit or --pr"
                + " it only shows them.",
        mixinStandardHelpOptions = true)
final class VersionsProposeCommand implements Callable<Integer> {
    private final Surface process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything else
    private CommandSpec spec;

    @Option(
            names = "--commit",
            description = "Write the documents as one commit on a new branch etcd-gitops/versions-… of the repository.")
    boolean commit;

    @Option(
            names = "--pr",
            description = "Also open a pull request into the branch that --ref names. One that people have closed"
                    + " is not opened again.")
    boolean pullRequest;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final ForgeOptions forge = new ForgeOptions();

    @Mixin
    private final Options.Output output = new Options.Output();

    VersionsProposeCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if (pullRequest && repository.ref.matches("HEAD|refs/.*|[0-9a-f]{40}|[0-9a-f]{64}")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--pr needs the name of the branch that the pull request should be merged into: --ref main");
        }
        var files = new ReadFiles();
        try (var source = Source.open(repository, process.environment(), files)) {
            var desired = source.desired();
            var proposal = VersionProposal.of(
                    source.repository().read(source.commit()), desired, repository.environment(), files);
            boolean nothing = proposal.patches().isEmpty() || !(commit || pullRequest);
            var done = nothing ? List.<String>of() : pullRequest ? open(source, proposal) : begin(source, proposal);
            new Outputs(output, process.terminal(), process.out())
                    .write(new PatchTable(proposal.all(), desired.violations(), done));
            return (desired.violations().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID).code();
        }
    }

    private static List<String> begin(Source source, VersionProposal proposal) {
        var publisher = source.publisher(Retry.standard(Surface::pause));
        String branch = proposal.branch();
        return List.of(
                switch (proposal.publish(publisher, Surface.clock().instant())) {
                    case PublishResult.Published(String id, int _) ->
                        "The branch " + branch + " has these versions, as commit " + id + ".";
                    case PublishResult.Unchanged _ -> "The branch " + branch + " has these versions already.";
                });
    }

    private List<String> open(Source source, VersionProposal proposal) {
        String base = repository.ref;
        String title = PatchText.title(proposal.patches());
        try (var pulls = forge.open(spec, process.environment())) {
            String body = PatchText.markdown(proposal.patches(), pulls.longestComment());
            forge.requireNoSecret(process.environment(), body);
            var requests = new OnePullRequest(pulls, Surface::pause);
            var answered = requests.answered(proposal.branch(), base);
            if (answered.isPresent() && answered.get().fate() == Forge.Fate.CLOSED) {
                return List.of(named(answered.get()) + " proposed the same and was closed. Nothing was changed.");
            }
            var done = new ArrayList<>(begin(source, proposal));
            done.add(
                    answered.isPresent()
                            ? named(answered.get()) + " is open already."
                            : named(requests.open(new Forge.Wish(proposal.branch(), base, title, body)))
                                    + " was opened.");
            return List.copyOf(done);
        }
    }

    private static String named(Forge.PullRequest pull) {
        return "Pull request " + pull.number()
                + pull.page().map(page -> " (" + page + ")").orElse("");
    }
}
