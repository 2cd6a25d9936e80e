package io.github.etcdgitops.cli.job;

import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.receive.RevisionReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// For the pod that inspects a volume; not for people.
@Command(
        name = "tell",
        hidden = true,
        description = "Asks the etcd of the same pod for its revision. Runs in the last container of a volume"
                + " inspection.",
        mixinStandardHelpOptions = true)
public final class TellCommand implements Callable<Integer> {
    /// The Job ends before that.
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final Surface process;

    @Option(names = "--endpoint", required = true, paramLabel = "HOST:PORT", description = "Where etcd listens.")
    String endpoint = "";

    @Option(names = "--message", required = true, paramLabel = "FILE", description = "File for the result.")
    Path message = Path.of("");

    @Option(
            names = "--compact",
            paramLabel = "REVISION",
            description = "Compacted revision of the members that it is compared with.")
    long compacted = -1;

    public TellCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() throws InterruptedException {
        int colon = endpoint.lastIndexOf(':');
        var route = new Beside(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
        try (var etcd = Wiring.beside()) {
            return ReceiveCommand.end(
                    new RevisionReport(etcd, route, Surface.clock()).tell(message, compacted, PATIENCE), process);
        }
    }

    /// In the same pod.
    record Beside(String host, int port) implements MemberAccess.Route {
        @Override
        public String authority() {
            return host;
        }

        @Override
        public MemberAccess.Way way() {
            return MemberAccess.Way.POD_IP;
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
