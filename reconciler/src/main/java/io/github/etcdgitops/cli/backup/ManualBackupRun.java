package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.RunJson;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Carries out one operation on one ring on a manual request. It must change nothing in the ring.
record ManualBackupRun(Surface process, BackupOptions.OfRing of, Options.Cluster cluster, Options.Output output) {
    /// How long the current step may still take after an interrupt.
    static final Duration GRACE = Duration.ofSeconds(60);

    /// The requested operation, once the repository is read.
    @FunctionalInterface
    interface Wish {
        Operation operation(Source source, String environment);
    }

    /// Prints the result, and returns the exit code.
    int carryOut(Wish wish) {
        var progress = new Progress(process.err(), output, process.terminal(), Wiring.random());
        var ending = ShutdownSignal.onSignal(GRACE, () -> Progress.ending(process, output));
        try (var source = Source.open(of.place.repository, process.environment());
                var wiring = Wiring.open(cluster, process.environment(), ending)) {
            String environment = wiring.environment(source, of.place.repository);
            var spec = ring(source, environment, of.ring);
            return ended(wiring.reconciliation(source, progress, Optional.empty())
                    .now(source.desired(), spec, wish.operation(source, environment)));
        } finally {
            ending.done();
        }
    }

    private static EtcdClusterSpec ring(Source source, String environment, ClusterRef ring) {
        return Environments.rings(source.desired(), environment).stream()
                .filter(s -> s.ref().equals(ring))
                .findFirst()
                .orElseThrow(() -> unknown(environment, ring));
    }

    static RunException unknown(String environment, ClusterRef ring) {
        return new RunException(
                RunException.Kind.CONFIGURATION,
                "the repository has no valid document for ring " + ring + " of environment " + environment);
    }

    private int ended(ClusterResult result) {
        if (result.outcome() != ClusterResult.Outcome.DONE) {
            process.err().println("error: " + of.ring + ": " + result.detail());
        }
        new Outputs(output, process.terminal(), process.out()).write(new Rendered(result));
        return ExitCode.ofResults(List.of(result), true).code();
    }

    /// People see the last step's text; a failure was already printed on standard error.
    private record Rendered(ClusterResult result) implements Rendering {
        @Override
        public Lines human(Style style) {
            return result.outcome() == ClusterResult.Outcome.DONE
                    ? Lines.of(result.events().getLast().result().detail())
                    : new Lines();
        }

        @Override
        public String json() {
            return RunJson.renderOne(result);
        }

        @Override
        public String markdown() {
            return MarkdownText.verbatim(human(Style.PLAIN));
        }
    }
}
