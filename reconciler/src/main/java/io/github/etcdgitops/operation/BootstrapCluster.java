package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.spec.Tls;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.step.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Founds a ring: all members at once, under a token that was never used before.
///
/// Applies when nothing of the ring's name was found by reading each object by name, or when the
/// journal says that a founding is under way. Clients are let in only after every member was sealed, so
/// nothing acknowledged can depend on a founder that may still start on an empty disk.
///
/// A failure leaves a journal that says so, and the next run carries on with the same token and
/// directories: `begun` is set then.
public record BootstrapCluster(
        ClusterRef ref, int size, EtcdVersion version, Tls tls, boolean begun, Blueprint blueprint)
        implements Operation {
    /// Of a ring of which nothing is there yet.
    public BootstrapCluster(ClusterRef ref, int size, EtcdVersion version, Tls tls, Blueprint blueprint) {
        this(ref, size, version, tls, false, blueprint);
    }

    public static Optional<BootstrapCluster> detect(EtcdClusterSpec spec, ClusterState state) {
        var journal = state.kube().journal().optional().flatMap(j -> j).map(KubeState.JournalState::journal);
        if (journal.isPresent()) {
            return journal.filter(j -> !j.isUnderWay(Intent.Kind.RESTORE))
                    .filter(j -> !j.founded() || j.isUnderWay(Intent.Kind.FOUND))
                    .map(j -> new BootstrapCluster(
                            spec.ref(),
                            j.members().size(),
                            j.applied().version(),
                            spec.server().tls().with(j.applied().transport()),
                            true,
                            Blueprint.of(spec, j.applied())));
        }
        return state.kube().nothingThere()
                ? Optional.of(new BootstrapCluster(
                        spec.ref(),
                        spec.size(),
                        spec.server().version(),
                        spec.server().tls(),
                        Blueprint.of(
                                spec,
                                Journal.Applied.founding(
                                        spec.server(), spec.server().version()))))
                : Optional.empty();
    }

    @Override
    public String target() {
        return "founded members=" + size + " version=" + version
                + (tls.transport().secured() ? " transport=" + tls.transport().describe() : "");
    }

    @Override
    public Resolved resolved() {
        return Resolved.ring(blueprint);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public boolean endsWhatWasBegun() {
        return begun;
    }

    @Override
    public String reason() {
        return "the ring is in Git and nothing of it is in this Kubernetes cluster, or its founding is under way";
    }

    @Override
    public String summary() {
        return "found a ring of " + size + " on etcd " + version
                + (tls.transport().secured() ? ", TLS: " + tls.transport().describe() : "");
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new Step.OpenJournal(size, version, id()));
        Around.certificates(tls).ifPresent(steps::add);
        steps.add(Around.members());
        steps.add(new Step.WriteFoundingConfigs(size));
        steps.add(new Step.CreateStatefulSet(size));
        steps.add(new Step.AwaitRing(size));
        steps.add(new Step.RecordRing(size));
        IntStream.range(0, size).forEach(ordinal -> steps.add(new Step.SealMember(ordinal)));
        steps.add(Around.clients());
        steps.add(new Step.SetBudget(Budget.of(size)));
        steps.add(new Step.AwaitGreen());
        steps.add(new Step.Finish(0));
        return List.copyOf(steps);
    }
}
