package io.github.etcdgitops.fake;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/// The truth about one ring, for assertions: never a gateway call, never a tick.
public final class RingProbe {
    private final FakeRing ring;

    RingProbe(FakeRing ring) {
        this.ring = ring;
    }

    /// The cluster that clients speak to, once one elected a leader.
    public Optional<EtcdId> clusterId() {
        return Optional.ofNullable(ring.current).map(c -> c.id);
    }

    public AuthState users() {
        return ring.current == null ? AuthState.NONE : ring.current.users.state();
    }

    public SortedSet<Integer> voters() {
        return ordinals(false);
    }

    public SortedSet<Integer> learners() {
        return ordinals(true);
    }

    private SortedSet<Integer> ordinals(boolean learner) {
        var ordinals = new TreeSet<Integer>();
        if (ring.current != null) {
            ring.current.members.values().stream()
                    .filter(m -> m.learner == learner)
                    .forEach(m -> ordinals.add(m.ordinal));
        }
        return ordinals;
    }

    /// Members whose process runs and whose peers reach it.
    public SortedSet<Integer> up() {
        var ordinals = new TreeSet<Integer>();
        if (ring.current != null) {
            ring.current.members.values().stream().filter(FakeMember::up).forEach(m -> ordinals.add(m.ordinal));
        }
        return ordinals;
    }

    public Optional<Integer> leader() {
        return ring.current != null && ring.current.leads()
                ? Optional.of(ring.current.leader.ordinal)
                : Optional.empty();
    }

    public Optional<EtcdId> memberId(int ordinal) {
        return Optional.ofNullable(ring.current)
                .flatMap(c -> c.byOrdinal(ordinal))
                .map(m -> m.id);
    }

    public boolean hasQuorum() {
        return ring.quorumUp();
    }

    /// Newest entry that a client was told is safe.
    public long acknowledged() {
        return ring.current == null ? 0 : ring.current.acknowledged;
    }

    /// Who wrote its file anew, in that order.
    public List<Integer> rewritten() {
        return List.copyOf(ring.rewritten);
    }

    public List<Alarm> alarms() {
        return ring.current == null ? List.of() : List.copyOf(ring.current.alarms);
    }

    /// What clients find in the ring.
    public List<String> keys() {
        return ring.current == null ? List.of() : ring.current.keys.keys(0);
    }

    public int replicas() {
        return ring.statefulSet == null ? 0 : ring.statefulSet.replicas;
    }

    public int partition() {
        return ring.statefulSet == null ? 0 : ring.statefulSet.partition;
    }

    public boolean hasStatefulSet() {
        return ring.statefulSet != null;
    }

    public SortedSet<Integer> pods() {
        return new TreeSet<>(ring.pods.keySet());
    }

    public SortedSet<Integer> readyPods() {
        var ready = new TreeSet<>(ring.pods.keySet());
        ready.removeIf(ordinal -> !ring.pods.get(ordinal).ready);
        return ready;
    }

    /// Pods that the client Service would send clients to.
    public SortedSet<Integer> serving() {
        var serving = readyPods();
        serving.removeIf(ordinal ->
                !"yes".equals(ring.pods.get(ordinal).labels.get(io.github.etcdgitops.gateway.kube.api.Labels.CLIENTS)));
        return serving;
    }

    public SortedSet<Integer> claims() {
        return new TreeSet<>(ring.claims.keySet());
    }

    /// How many were deleted and are still there.
    public long endingClaims() {
        return ring.claims.values().stream().filter(c -> c.terminating).count();
    }

    /// The newest one of the ring's keys, whether anybody runs or not.
    public long revision() {
        return ring.current.keys.revision();
    }

    public String claimUid(int ordinal) {
        return Objects.requireNonNull(ring.claims.get(ordinal)).uid;
    }

    public SortedSet<Integer> releasedClaims() {
        var released = claims();
        released.removeIf(ordinal -> !ring.claims.get(ordinal).released);
        return released;
    }

    /// What the claims have, by ordinal.
    public List<String> capacities() {
        return ring.claims.values().stream().map(claim -> claim.capacity).toList();
    }

    /// Whether some volume has grown and waits for a pod that mounts it.
    public boolean awaitsMount() {
        return ring.claims.values().stream().anyMatch(c -> FakeVolumes.state(c).awaitsMount());
    }

    /// What claims that are made from now on ask for.
    public String storageOfNewClaims() {
        return ring.statefulSet == null ? "" : ring.statefulSet.storage.size();
    }

    /// What the voters that are up run, each by itself.
    public List<String> versions() {
        return ring.current == null
                ? List.of()
                : ring.current.voters().stream()
                        .filter(FakeMember::up)
                        .map(m -> m.version.toString())
                        .toList();
    }

    /// What a downgrade was announced for.
    public Optional<String> downgradeTo() {
        return Optional.ofNullable(ring.current)
                .flatMap(cluster -> Optional.ofNullable(cluster.downgrade.target))
                .map(EtcdVersion::minorName);
    }

    /// The cluster version.
    public String line() {
        return ring.current.version.minorName();
    }

    public Optional<Integer> minAvailable() {
        return ring.minAvailable();
    }

    public int disruptionsAllowed() {
        return ring.disruptionsAllowed;
    }

    /// How the members that run can be talked to.
    public List<Transport> transports() {
        return ring.pods.values().stream()
                .filter(pod -> pod.process != null)
                .map(pod -> pod.process.transport)
                .toList();
    }

    /// UIDs of the pods, by ordinal.
    public List<String> podUids() {
        return ring.pods.values().stream().map(pod -> pod.uid).toList();
    }

    /// The peer URLs that the ring lists.
    public List<String> peerUrls() {
        return ring.current.members.values().stream()
                .flatMap(m -> m.peerUrls.stream())
                .sorted()
                .toList();
    }

    public SortedMap<Integer, MemberConfig> configs() {
        return ring.configs;
    }

    /// Members whose file would let them start on an empty disk. None may be left once nothing is under
    /// way.
    public SortedSet<Integer> unsealed() {
        var unsealed = new TreeSet<>(ring.configs.keySet());
        unsealed.removeIf(ordinal -> ring.configs.get(ordinal).sealed());
        return unsealed;
    }

    /// Members whose file leaves etcd's comparison at the start out.
    public List<Integer> unchecked() {
        return ring.configs.entrySet().stream()
                .filter(config -> config.getValue() instanceof MemberConfig.Unchecked)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Voters whose data is not what it was written as.
    public List<Integer> differing() {
        return ring.current.voters().stream()
                .filter(m -> m.dir != null && m.dir.corrupt)
                .map(m -> m.ordinal)
                .toList();
    }

    public Optional<Journal> journal() {
        return Optional.ofNullable(ring.journal).map(KubeState.JournalState::journal);
    }

    @Override
    public String toString() {
        return "voters " + voters() + ", learners " + learners() + ", up " + up() + ", leader " + leader()
                + ", replicas " + replicas() + ", pods " + pods() + ", ready " + readyPods() + ", budget "
                + minAvailable() + ", unsealed " + unsealed() + ", "
                + journal().flatMap(Journal::intent).map(Intent::toString).orElse("nothing under way");
    }
}
