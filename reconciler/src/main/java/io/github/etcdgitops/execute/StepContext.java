package io.github.etcdgitops.execute;

import io.github.etcdgitops.execute.lease.ClusterLease;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.execute.lease.FencedEtcd;
import io.github.etcdgitops.execute.lease.Poller;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.health.StartTrouble;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// What the steps of one ring share: ports, Lease, journal and the latest reading. One thread at a time.
public final class StepContext {
    /// The deadline of one call to etcd; at its start the Lease lasts longer than this.
    public static final Duration CALL = Duration.ofSeconds(8);

    private final EtcdClusterSpec spec;
    private final Ports ports;
    private final ClusterLease lease;
    private final Poller poller;
    private final RingReading reading;
    private ClusterState state;
    private boolean compares;
    private Supplier<Optional<String>> gate = Optional::empty;

    /// `state` was read under the Lease.
    StepContext(
            EtcdClusterSpec spec,
            Ports ports,
            ClusterLease lease,
            Poller poller,
            RingReading reading,
            ClusterState state) {
        this.spec = spec;
        this.ports = ports;
        this.lease = lease;
        this.poller = poller;
        this.reading = reading;
        this.state = state;
    }

    public ClusterRef ref() {
        return spec.ref();
    }

    public EtcdClusterSpec spec() {
        return spec;
    }

    public KubernetesGateway kube() {
        return ports.kube();
    }

    public RingSecrets secrets() {
        return ports.secrets();
    }

    public RingVolumes volumes() {
        return ports.volumes();
    }

    /// Calls to the members, as the latest reading found them.
    public MemberCalls calls() {
        return new MemberCalls(state, new FencedEtcd(ports.etcd(), lease), ports.access());
    }

    public String random() {
        return ports.random().get();
    }

    /// A new data directory, for a member that does not exist yet.
    public Journal.Member newMember() {
        return new Journal.Member("e" + epoch() + "-" + random(), Optional.empty(), Optional.empty());
    }

    public long epoch() {
        return lease.epoch();
    }

    public ClusterState state() {
        return state;
    }

    public ClusterState refresh() {
        lease.keep();
        state = compares ? reading.forPlan(spec) : reading.forSteps(spec);
        return state;
    }

    /// Waits on fresh readings until `missing` is empty; [#awaitTurn] does so without them. At the deadline,
    /// returns what is missing and what keeps pods from starting.
    public Optional<String> await(Duration deadline, Supplier<Optional<String>> missing) {
        return poller.await(deadline, () -> {
            refresh();
            return missing.get().map(what -> what + StartTrouble.said(state));
        });
    }

    /// Waits likewise: `done` when nothing is missing; at the deadline, a failure that says what is missing.
    public StepResult until(Duration deadline, Supplier<Optional<String>> missing, Supplier<String> done) {
        return await(deadline, missing)
                .<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done(done.get()));
    }

    public Optional<String> awaitTurn(Duration deadline, Supplier<Optional<String>> missing) {
        return poller.await(deadline, missing);
    }

    public Instant now() {
        return poller.now();
    }

    public void pass(Duration duration) {
        poller.pass(duration);
    }

    /// Throws Fenced when another process holds the Lease.
    public void keepLease() {
        lease.keep();
    }

    /// Waits until calls of an earlier run, whose answers are lost, must have ended. Where the Lease was
    /// taken over without a release, that wait has happened already.
    public void outlastEarlierCalls() {
        if (!lease.taken()) {
            poller.outlast(CALL);
        }
    }

    /// Deletes the pod that has this UID, if there is one, while the Lease is proven to be ours.
    public void deletePod(int ordinal, String uid) {
        lease.prove();
        kube().deletePod(ref(), ordinal, uid);
    }

    public Optional<KubeState.JournalState> journalState() {
        return state.kube().storedJournal();
    }

    public Journal journal() {
        return journalState().map(KubeState.JournalState::journal).orElseThrow(() -> new Fenced("the journal is gone"));
    }

    /// Writes the journal under our epoch, guarded by the version that was read: a concurrent write fences us off.
    public void journal(UnaryOperator<Journal> change) {
        var read = journalState().orElseThrow(() -> new Fenced("the journal is gone"));
        if (read.journal().epoch() > lease.epoch()) {
            throw new Fenced("the journal was written under the newer epoch "
                    + read.journal().epoch());
        }
        lease.keep();
        var changed = marked(change.apply(read.journal()).withEpoch(lease.epoch()));
        try {
            kube().writeJournal(ref(), changed, Optional.of(read.resourceVersion()));
        } catch (GatewayException e) {
            if (e.kind() == GatewayException.Kind.CONFLICT) {
                throw new Fenced("the journal of " + ref() + " was written by another process");
            }
            throw e;
        }
        refresh();
    }

    /// Adds the run that started the operation under way.
    public Journal marked(Journal journal) {
        return ports.mark().onto(journal);
    }

    /// The snapshot that a restored ring starts from.
    public Optional<SnapshotOrigin> origin() {
        return journalState().flatMap(j -> j.journal().origin());
    }

    public Optional<KubeState.StatefulSetState> statefulSet() {
        return state.kube().knownSet();
    }

    public Optional<MemberState> member(int ordinal) {
        return state.ring()
                .optional()
                .flatMap(r -> Optional.ofNullable(r.byOrdinal(ref()).get(ordinal)));
    }

    public Optional<KubeState.PodState> pod(int ordinal) {
        return state.kube().pod(ordinal);
    }

    /// The input for rendering objects, with the given budget.
    public RingObjects objects(int minAvailable) {
        return objects(state.kube().appliedOr(spec.server()), minAvailable);
    }

    public RingObjects objects(MemberSettings applied) {
        return objects(applied, Budget.of(voters()));
    }

    private RingObjects objects(MemberSettings applied, int minAvailable) {
        var kube = state.kube();
        return new RingObjects(
                spec, applied, voters(), minAvailable, lease.epoch(), kube.authority(), kube.claimTemplate());
    }

    /// The same with the budget for the current, or future, voters.
    public RingObjects objectsAtRest() {
        return objects(Budget.of(voters()));
    }

    private int voters() {
        return state.ring().map(r -> r.voters().size()).optional().orElse(spec.size());
    }

    public Optional<KubeState.ClaimState> claim(int ordinal) {
        return state.kube().claim(ordinal);
    }

    public Optional<MemberConfig> config(int ordinal) {
        return state.kube().config(ordinal);
    }

    public String incarnation(int ordinal) {
        return Optional.ofNullable(journal().members().get(ordinal))
                .map(Journal.Member::incarnation)
                .orElseThrow(() -> new Fenced("the journal does not know " + ref().podName(ordinal)));
    }

    /// The URLs at which the other members reach this member.
    public List<String> peerUrls(int ordinal) {
        return state.kube().appliedOr(spec.server()).transport().peerUrls(ref(), ordinal);
    }

    /// Only a successful reading proves that the member is gone.
    public Optional<String> isNoMember(int ordinal) {
        return Optional.of("it is not a member")
                .filter(_ -> state.ring().isKnown() && member(ordinal).isEmpty());
    }

    /// Whether readings for the current step compare the members' data.
    void compares(boolean so) {
        compares = so;
    }

    /// Why the current step may not run on the latest reading; empty when it may.
    void gatedBy(Supplier<Optional<String>> why) {
        gate = why;
    }

    /// The same on a fresh reading, after a wait.
    public Optional<String> refused() {
        refresh();
        return gate.get();
    }

    /// Tries until a fresh reading shows `done`. Before each try it reads the ring again and asks the gate: a
    /// call whose answer was lost may have taken effect. A refusal may be temporary (etcd counts a member that
    /// joined seconds ago as unhealthy).
    public StepResult retry(Duration deadline, BooleanSupplier done, Runnable attempt) {
        var last = new AtomicReference<>("");
        return until(
                deadline,
                () -> {
                    if (done.getAsBoolean()) {
                        return Optional.empty();
                    }
                    var refused = gate.get();
                    if (refused.isPresent()) {
                        return refused;
                    }
                    try {
                        attempt.run();
                    } catch (GatewayException e) {
                        last.set(String.valueOf(e.getMessage()));
                    }
                    refresh();
                    return done.getAsBoolean() ? Optional.empty() : Optional.of(last.get());
                },
                () -> "done");
    }
}
