package io.github.etcdgitops.gateway.kube;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.RestoreJobs.Look;
import io.github.etcdgitops.gateway.kube.manifest.InspectionManifest;
import io.github.etcdgitops.gateway.kube.manifest.PodPaths;
import io.github.etcdgitops.gateway.kube.manifest.Ports;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.receive.RevisionReport;
import io.github.etcdgitops.state.journal.Inspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// The last two containers of a look into a volume as processes of this machine, on a loopback address of
/// their own: what etcd is started with comes from the manifest.
public final class SecludedLook implements AutoCloseable {
    private final EtcdBinaries binaries;
    private final Path folder;
    private final Set<Fence> without;
    private final String address = "127." + random(100, 200) + "." + random(1, 255) + "." + random(1, 255);
    private Optional<Process> process = Optional.empty();

    /// What keeps etcd from calling the ring's members.
    public enum Fence {
        /// It goes through a proxy that is not there.
        PROXY,
        /// It takes itself for the only member.
        ALONE
    }

    /// Etcd starts as the manifest says, but for the fences in `without`.
    public SecludedLook(EtcdBinaries binaries, Path folder, Set<Fence> without) {
        this.binaries = binaries;
        this.folder = folder;
        this.without = Set.copyOf(without);
    }

    private static int random(int from, int to) {
        return ThreadLocalRandom.current().nextInt(from, to);
    }

    public Path data() {
        return folder.resolve("look");
    }

    public Path log() {
        return folder.resolve("log");
    }

    public void start() throws IOException {
        var job = new InspectionJob(
                Samples.defaults("3.5.16"), new Look("c", "u", "a1", "none"), "ours", Duration.ofMinutes(1), "op");
        var serve =
                Rendered.as(Job.class, InspectionManifest.of(job))
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .stream()
                        .filter(c -> c.getName().equals("serve"))
                        .findFirst()
                        .orElseThrow();
        var command = new ArrayList<String>();
        command.add(binaries.etcd().toString());
        serve.getArgs()
                .forEach(arg -> command.add(
                        arg.replace("127.0.0.1", address).replace(PodPaths.DATA_PATH + "/look", data().toString())));
        if (without.contains(Fence.ALONE) && !command.remove("--force-new-cluster")) {
            throw new AssertionError("the manifest does not start etcd as the only member");
        }
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile());
        if (!without.contains(Fence.PROXY)) {
            builder.environment().putAll(InspectionManifest.secluded());
        }
        process = Optional.of(builder.start());
    }

    public Optional<Inspection.Outcome.Told> told(EtcdGateway gateway, Duration patience) throws Exception {
        return told(gateway, -1, patience);
    }

    /// Begins to ask, and then starts etcd, as the pod does; `compacted` is up to where the others have
    /// compacted.
    public Optional<Inspection.Outcome.Told> told(EtcdGateway gateway, long compacted, Duration patience)
            throws Exception {
        Path message = folder.resolve("message");
        var telling = new RevisionReport(gateway, new Here(address), InstantSource.system());
        var starting = Thread.ofVirtual().start(() -> {
            try {
                TimeUnit.SECONDS.sleep(1);
                start();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        var outcome = telling.tell(message, compacted, patience);
        starting.join();
        return Files.exists(message) ? InspectionManifest.told(Files.readString(message)) : said(outcome.message());
    }

    private Optional<Inspection.Outcome.Told> said(String why) throws IOException {
        throw new AssertionError(why + "\n" + Files.readString(log()));
    }

    @Override
    public void close() throws Exception {
        if (process.isPresent()) {
            process.get().destroyForcibly().waitFor();
        }
    }

    record Here(String host, int port) implements MemberAccess.Route {
        Here(String host) {
            this(host, Ports.CLIENT);
        }

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
            // nothing is open
        }
    }
}
