package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.backup.BackupOptions;
import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.value.Observed;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "adopt",
        description = {
            "Prints the document of a running ring that etcd-gitops did not create. Changes nothing.",
            "Commit the document to request the adoption; `etcd-gitops plan` then says whether it is possible."
        },
        mixinStandardHelpOptions = true)
final class AdoptCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(
            index = "0",
            paramLabel = "NAMESPACE/NAME",
            converter = BackupOptions.Ring.class,
            description = "The StatefulSet whose pods are the members.")
    @SuppressWarnings("NullAway.Init") // picocli sets it or refuses
    ClusterRef ring;

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    AdoptCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        try (var wiring = Wiring.open(cluster, process.environment())) {
            process.out().print(document(wiring.foreign(ring)).yaml());
            return ExitCode.SUCCESS.code();
        }
    }

    private AdoptDocument document(ClusterState state) {
        var foreign = state.foreign();
        foreign.unknownReason().ifPresent(why -> {
            throw new RunException(RunException.Kind.TEMPORARY, ring + " could not be read: " + why);
        });
        var set = Observed.found(foreign)
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "there is no StatefulSet " + ring.name() + " in the namespace " + ring.namespace()));
        if (state.kube().knownSet().filter(s -> s.ours()).isPresent()) {
            throw new RunException(RunException.Kind.CONFIGURATION, ring + " is already a ring of etcd-gitops");
        }
        var members = state.ring()
                .optional()
                .orElseThrow(() -> new RunException(
                        RunException.Kind.TEMPORARY,
                        "the members of " + ring + " could not be read: "
                                + state.ring().unknownReason().orElse("")));
        return new AdoptDocument(state, set, members);
    }
}
