package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.trial.speed.StandInMembers.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// One ring at rest for the runs from which `reconciler/aot-cache` makes its caches: a config repository with its
/// document, a kubeconfig, and stand-ins that answer for the API server and the members until the standard input ends.
///
/// It is started from its source, which has to come with the classes of the reconciler alone.
final class TrainingRing {
    /// The number says which addresses its members have: benchmarks and other builds may run beside it.
    private static final int LOWEST = 100_000;

    private static final int RANGE = 1_000_000;

    private TrainingRing() {}

    /// Argument: a folder, in which `ring` and `kubeconfig` are made, the latter when all is ready.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var folder = Path.of(arguments[0]);
        int ring = LOWEST + (int) (ProcessHandle.current().pid() % RANGE);
        var documents = FleetDocuments.write(
                folder.resolve("ring"), List.of(RingPattern.namespace(ring)), FleetDocuments.MEMBERS);
        var pattern = RingPattern.atRest(documents);
        try (var api = StandInFleet.start(pattern, ring, 1, Optional.of(StandInTls.create(folder)));
                var _ = StandInMembers.start(
                        ring, 1, FleetDocuments.MEMBERS, FleetDocuments.VERSION, Faults.NONE, Optional.empty())) {
            var ready = api.kubeconfig(Files.createDirectory(folder.resolve("ready")));
            Files.move(ready, folder.resolve("kubeconfig"));
            while (System.in.read() >= 0) {
                // Until its parent ends or closes it.
            }
        }
    }
}
