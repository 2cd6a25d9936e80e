package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// All there is of one ring: its Kubernetes objects, its disks, its etcd processes, and what is broken
/// about it. Plain mutable data; the rules are in [FakeController], [FakeKubelet], [FakeCluster] and
/// the gateways.
final class FakeRing {
    private static final Transport MUTUAL = new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL);

    final ClusterRef ref;

    StatefulSet statefulSet;
    /// The one that somebody has deleted by hand.
    StatefulSet deleted;
    /// The pods' templates by revision: they outlive a StatefulSet that lets go of them.
    final Map<String, Template> templates = new HashMap<>();
    /// The name of the claim template, which names the claims.
    String claimTemplate = "data";
    /// The manifest of the foreign StatefulSet that is kept, and its template.
    String kept;
    Template former;
    final TreeMap<Integer, Pod> pods = new TreeMap<>();
    final TreeMap<Integer, Claim> claims = new TreeMap<>();
    KubeState.JournalState journal;
    /// Replaced at every write, never changed: a pod's mount is a reference to an older one.
    SortedMap<Integer, MemberConfig> configs = Collections.emptySortedMap();

    /// The settings in the member's file, beside each of `configs` and replaced with them.
    SortedMap<Integer, MemberSettings> files = Collections.emptySortedMap();

    long configsEpoch;
    SortedMap<Integer, MemberConfig> configsLastTick = Collections.emptySortedMap();
    final EnumMap<ManagedObject, Thing> objects = new EnumMap<>(ManagedObject.class);
    int disruptionsAllowed;
    boolean budgetSettled;
    boolean budgetByHand;
    LeaseState lease;

    final Map<EtcdId, FakeCluster> clusters = new TreeMap<>();
    /// The ring that clients speak to: the one that last elected a leader.
    FakeCluster current;

    int catchUpTicks = 3;
    boolean staleMounts;
    final Set<Integer> stopped = new TreeSet<>();
    /// No machine takes their pods.
    final Set<Integer> homeless = new TreeSet<>();
    /// Nobody can tell whether their pods are over.
    final Set<Integer> silent = new TreeSet<>();
    /// Since when their machines are not heard of, by ordinal.
    final Map<Integer, Instant> silentSince = new TreeMap<>();
    /// Machines that are no Nodes any more.
    final Set<String> gone = new TreeSet<>();
    /// Nobody may read machines.
    boolean machinesUnreadable;
    final Set<Integer> cutOff = new TreeSet<>();
    /// Of those, whom we reach all the same.
    final Set<Integer> severed = new TreeSet<>();
    final Set<Integer> hidden = new TreeSet<>();
    final Set<Integer> unready = new TreeSet<>();
    /// Members that are never done with a hash.
    final Set<Integer> hashless = new TreeSet<>();

    /// Members run with etcd's defaults, whatever their files say.
    boolean ignoresSettings;
    /// Members that take one of their peers for lost, for ever, although it is there.
    final Set<Integer> mistaken = new TreeSet<>();
    boolean noProbes;
    /// How long a file takes to be written anew, in which nobody hears of the member.
    int defragmentTicks;
    /// Members that cannot write theirs anew.
    final Set<Integer> brokenFiles = new TreeSet<>();
    /// Who wrote its file anew, in that order.
    final List<Integer> rewritten = new ArrayList<>();
    /// How many pods the namespace's quota lets it have.
    int podQuota = Integer.MAX_VALUE;
    /// Releases whose image the registry does not have.
    final Set<EtcdVersion> unpullable = new TreeSet<>();
    /// Entries that a member shows itself to be behind.
    final Map<Integer, Long> lag = new HashMap<>();
    /// So many revisions a member has not applied, until that tick.
    final Map<Integer, Behind> behind = new HashMap<>();

    record Behind(long revisions, long until) {}

    /// Who else has a claim mounted: a pod that is none of the ring's.
    final Map<Integer, String> strangers = new TreeMap<>();
    final Set<Part> unreadable = EnumSet.noneOf(Part.class);
    final Sight sight = new Sight();

    FakeRing(ClusterRef ref) {
        this.ref = ref;
    }

    static final class StatefulSet {
        String uid;
        String resourceVersion;
        boolean ours = true;
        /// Until its pods have been let go of.
        boolean orphaning;
        long epoch;
        int replicas;
        int partition;
        boolean settled;
        boolean replicasByUs;
        boolean rolledByUs;
        /// Voters that were up when the partition was written, as far as anybody could know: whoever fails before
        /// the controller acts on it is not seen.
        Set<Integer> upWhenLowered = new TreeSet<>();
        int readyReplicas;
        String suspended;
        EtcdClusterSpec.Storage storage;
        String currentRevision;
        String updateRevision;
        Map<String, Object> labels = Map.of();

        /// Another text where the object or its template is another one.
        String manifest() {
            return uid + " " + updateRevision;
        }
    }

    /// `foreign` is one whose pods know nothing of the members' files.
    record Template(String digest, EtcdVersion version, boolean foreign) {
        Template(String digest, EtcdVersion version) {
            this(digest, version, false);
        }
    }

    static final class Pod {
        final String uid;
        final String revision;
        final long created;
        final TreeMap<String, String> labels = new TreeMap<>(Map.of(Labels.CLIENTS, "yes"));
        String ip;
        boolean ready;
        boolean terminating;
        boolean marked;
        int restarts;
        /// Before then a container that has ended is not started again.
        long again;
        /// As the kubelet says it.
        String trouble;
        SortedMap<Integer, MemberConfig> mounted;
        SortedMap<Integer, MemberSettings> mountedFiles = Collections.emptySortedMap();
        FakeMember process;
        /// Carries our labels.
        boolean ours = true;
        /// UID of the StatefulSet that owns it; null where none does.
        String controller;

        Pod(String uid, String revision, long created) {
            this.uid = uid;
            this.revision = revision;
            this.created = created;
        }
    }

    static final class Claim {
        final String uid;
        final Optional<String> storageClass;
        String asked;
        String capacity;
        /// Of its growth, as Kubernetes says them.
        List<String> conditions = List.of();
        boolean ours = true;
        boolean released;
        /// When its member left; null where nobody has recorded it.
        Instant releasedAt;
        boolean lost;
        /// Nobody makes a volume for it.
        boolean pending;
        /// It goes when no pod has it any more.
        boolean terminating;
        /// Bytes that are taken on its volume by what nobody uses.
        long taken;
        /// The machine that alone has its volume; null where it is on the network.
        String home;
        final Map<String, DataDir> dirs = new HashMap<>();

        Claim(String uid, EtcdClusterSpec.Storage storage) {
            this.uid = uid;
            this.storageClass = storage.storageClassName().or(() -> Optional.of(FakeVolumes.STANDARD));
            this.asked = storage.size();
            this.capacity = storage.size();
        }
    }

    /// A member's data: whose it is, and up to where it has the ring's log.
    static final class DataDir {
        final FakeCluster cluster;
        final EtcdId member;
        long log;
        /// The newest entry that is in a snapshot of the log.
        long snapshot;
        /// Bytes of the file, of what is in use of it, and of that what is not history.
        long file;
        long used;
        long live;
        /// What the member says is in use: what a compaction freed shows with the next write only.
        long told;
        /// Until then it is written anew.
        long busyUntil;
        /// Its bytes are not those that the other members have.
        boolean corrupt;
        /// The others' logs do not reach back to it any more: a process on it gets the leader's data.
        boolean behind;
        /// A leader has sent it its own once.
        boolean sent;
        /// The newest revision that it has, and up to where it is compacted, where the others went on without
        /// it.
        long newest = Long.MAX_VALUE;
        long compacted;
        /// No process comes up on it any more.
        boolean spoilt;
        /// The line that can read it; null where it is of before 3.6.
        EtcdVersion storage;

        DataDir(FakeCluster cluster, EtcdId member) {
            this.cluster = cluster;
            this.member = member;
        }
    }

    record Thing(boolean ours, long epoch, Map<String, Object> content) {}

    /// What the code under test has seen so far, so that it is blamed for nothing that it could not know.
    static final class Sight {
        boolean blind;
        boolean confirmed;
        final Set<Integer> failedProbes = new TreeSet<>();
        final Set<Integer> readyPods = new TreeSet<>();
        final Set<Integer> unseenFaults = new TreeSet<>();
        final Set<Integer> unseenEvictions = new TreeSet<>();
    }

    boolean exists() {
        return statefulSet != null || journal != null || !claims.isEmpty() || !objects.isEmpty() || !configs.isEmpty();
    }

    Optional<Integer> minAvailable() {
        return Optional.ofNullable(objects.get(ManagedObject.BUDGET))
                .map(b -> (Integer) b.content().get("minAvailable"));
    }

    void setConfig(int ordinal, Optional<MemberConfig> config, MemberSettings settings) {
        var changed = new TreeMap<>(files);
        changed.put(ordinal, settings);
        files = Collections.unmodifiableSortedMap(changed);
        setConfig(ordinal, config);
    }

    void setConfig(int ordinal, Optional<MemberConfig> config) {
        var changed = new TreeMap<>(configs);
        config.ifPresentOrElse(c -> changed.put(ordinal, c), () -> changed.remove(ordinal));
        configs = Collections.unmodifiableSortedMap(changed);
    }

    boolean quorumUp() {
        return current != null && current.quorumUp();
    }

    /// The ordinal whose peer URL this is; -1 for a foreign one. Rings of a simulation are smaller than
    /// 16.
    int ordinalOfUrl(String url) {
        for (int ordinal = 0; ordinal < 16; ordinal++) {
            for (var transport : List.of(Transport.PLAIN, MUTUAL)) {
                if (url.split(",")[0].equals(transport.peerUrls(ref, ordinal).getFirst())) {
                    return ordinal;
                }
            }
        }
        return -1;
    }

    String peerUrl(int ordinal) {
        return Transport.PLAIN.peerUrls(ref, ordinal).getFirst();
    }

    /// What is at this ordinal from now on is on another machine.
    void elsewhere(int ordinal) {
        silent.remove(ordinal);
        silentSince.remove(ordinal);
        cutOff.remove(ordinal);
        unready.remove(ordinal);
    }

    /// Stops the process of a pod at once; the container may start again at the next tick.
    void stopProcess(Pod pod) {
        if (pod.process != null) {
            pod.process.running = false;
            pod.process = null;
        }
    }
}
