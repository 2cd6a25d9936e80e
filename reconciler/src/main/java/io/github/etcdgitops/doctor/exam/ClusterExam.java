package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.doctor.fact.AccessRight;
import io.github.etcdgitops.doctor.fact.ClusterFacts;
import io.github.etcdgitops.doctor.fact.ClusterFacts.Clock;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.access.ClusterProbe;
import io.github.etcdgitops.gateway.access.ClusterProbe.Server;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Asks the API server, and changes nothing there.
public final class ClusterExam {
    private static final int REVIEWS_AT_ONCE = 16;

    private final ClusterProbe probe;
    private final KubernetesGateway kube;
    private final InstantSource clock;

    public ClusterExam(ClusterProbe probe, KubernetesGateway kube, InstantSource clock) {
        this.probe = probe;
        this.kube = kube;
        this.clock = clock;
    }

    /// Where no connection is possible.
    public static ClusterFacts without(Trouble trouble, String reason) {
        return ClusterFacts.unreached(new Fact.Unseen<>(trouble, reason), new Fact.Unasked<>());
    }

    /// Without `namespaces`, all of them, and cluster-wide rights. `acting` are the accounts of the rings
    /// that Git describes.
    public ClusterFacts look(
            String connection,
            List<String> namespaces,
            String reconcilerNamespace,
            GitFacts git,
            ActingAccount.Rights acting) {
        Fact<String> connected = Fact.seen(connection);
        Fact<Server> server = Asking.of(probe::server);
        if (server.optional().isEmpty()) {
            return ClusterFacts.unreached(connected, server);
        }
        var who = acting(git, acting);
        var asked = new AccessQuestions(namespaces, reconcilerNamespace);
        boolean impersonates = who.values().stream().anyMatch(ActingAccount::byAccount);
        var questions = impersonates ? asked.impersonating() : asked.all();
        return new ClusterFacts(
                connected,
                server,
                Asking.of(this::readClocks),
                Asking.of(kube::clusterUid),
                new ClusterFacts.Rights(
                        Parallel.map(
                                questions, REVIEWS_AT_ONCE, q -> new AccessRight(q, Asking.of(() -> probe.allows(q)))),
                        new AccountExam(probe).look(who)),
                Asking.of(probe::apis),
                Asking.of(probe::defaultStorageClasses));
    }

    private static SortedMap<ClusterRef, ActingAccount> acting(GitFacts git, ActingAccount.Rights rights) {
        var acting = new TreeMap<ClusterRef, ActingAccount>();
        git.documents()
                .optional()
                .ifPresent(desired -> git.environment()
                        .optional()
                        .map(name -> Environments.rings(desired, name))
                        .orElseGet(() -> List.copyOf(desired.rings().values()))
                        .forEach(ring -> acting.put(ring.ref(), rights.of(ring.ref()))));
        return acting;
    }

    /// A separate request: the first one also opened the connection, which makes the time measurement less
    /// exact.
    private Clock readClocks() {
        Instant sent = clock.instant();
        var date = probe.server().date();
        return new Clock(sent, date, clock.instant());
    }
}
