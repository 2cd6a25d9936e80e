package io.github.etcdgitops.ring.founding;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.Around;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.underway.Founding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Creates a ring: all members at once, under a new, unused cluster token.
///
/// Applies when reading each object by name found nothing of the ring, or when the journal says that a
/// creation is under way. Clients are admitted only after every member is sealed. So no acknowledged write
/// can depend on a member that may still start on an empty disk.
///
/// A failure leaves a journal that says so, and the next run continues with the same token and directories.
/// If the document asks for something else by then, and not all members have started, the creation starts
/// again from the beginning.
public record BootstrapCluster(ClusterRef ref, int size, EtcdVersion version, Tls tls, Stage stage, Blueprint blueprint)
        implements Operation {
    /// How far it has come.
    public sealed interface Stage {
        /// Nothing exists yet.
        record New() implements Stage {}

        /// A creation is under way, and continues.
        record Begun() implements Stage {}

        /// A creation is under way that cannot become what the document asks for. `why` gives the reasons.
        /// `claims` are those without a volume that request something else, by ordinal, with their UIDs.
        record Anew(List<String> why, SortedMap<Integer, String> claims) implements Stage {
            public Anew {
                why = List.copyOf(why);
                claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
            }
        }
    }

    /// For a ring of which nothing exists yet.
    public BootstrapCluster(ClusterRef ref, int size, EtcdVersion version, Tls tls, Blueprint blueprint) {
        this(ref, size, version, tls, new Stage.New(), blueprint);
    }

    public static Optional<BootstrapCluster> detect(EtcdClusterSpec spec, ClusterState state) {
        var journal = state.kube().knownJournal();
        if (journal.isPresent()) {
            return journal.filter(j -> !j.isUnderWay(Intent.Kind.RESTORE))
                    .filter(j -> !j.founded() || j.isUnderWay(Intent.Kind.FOUND))
                    .map(j -> begun(spec, state, j));
        }
        return state.kube().nothingThere() ? Optional.of(asDocumented(spec, new Stage.New())) : Optional.empty();
    }

    private static BootstrapCluster begun(EtcdClusterSpec spec, ClusterState state, Journal journal) {
        var outdated = Founding.outdated(spec, state);
        return outdated.isEmpty()
                ? new BootstrapCluster(
                        spec.ref(),
                        journal.members().size(),
                        journal.applied().version(),
                        spec.server().tls().with(journal.applied().transport()),
                        new Stage.Begun(),
                        Blueprint.of(spec, journal.applied()))
                : asDocumented(spec, new Stage.Anew(outdated, Founding.unmade(spec, state)));
    }

    private static BootstrapCluster asDocumented(EtcdClusterSpec spec, Stage stage) {
        var version = spec.server().version();
        return new BootstrapCluster(
                spec.ref(),
                spec.size(),
                version,
                spec.server().tls(),
                stage,
                Blueprint.of(spec, MemberSettings.founding(spec.server(), version)));
    }

    @Override
    public String kind() {
        return "BootstrapCluster";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Document.RING);
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
        return !(stage instanceof Stage.New);
    }

    @Override
    public String reason() {
        return stage instanceof Stage.Anew(var why, var unused)
                ? "the new ring did not start, and the document now asks for something else: " + String.join(", ", why)
                : "the ring is in Git and does not exist in this Kubernetes cluster, or its creation is in progress";
    }

    @Override
    public String summary() {
        return "create a ring of " + size + " on etcd " + version
                + (tls.transport().secured() ? ", TLS: " + tls.transport().describe() : "");
    }

    @Override
    public boolean beginsRing() {
        return true;
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        if (stage instanceof Stage.Anew(var unused, var claims)) {
            steps.add(new RefoundStep.EndFounding(claims));
            steps.add(new RefoundStep.ReopenJournal(size, version, id()));
        } else {
            steps.add(new FoundStep.OpenJournal(size, version, id()));
        }
        Around.certificates(tls).ifPresent(steps::add);
        steps.add(Around.members());
        steps.add(new FoundStep.WriteFoundingConfigs(size));
        steps.add(new FoundStep.CreateStatefulSet(size));
        steps.add(new FoundStep.AwaitRing(size));
        steps.add(new FoundStep.RecordRing(size));
        IntStream.range(0, size).forEach(ordinal -> steps.add(new MemberStep.SealMember(ordinal)));
        steps.add(Around.clients());
        steps.add(new ObjectStep.SetBudget(Budget.of(size)));
        steps.add(new MemberStep.AwaitGreen());
        steps.add(new MemberStep.Finish(Intent.Kind.FOUND));
        return List.copyOf(steps);
    }
}
