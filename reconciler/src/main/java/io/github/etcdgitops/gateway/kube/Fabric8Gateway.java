package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.Manifests;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.read.EventReads;
import io.github.etcdgitops.gateway.kube.read.FleetList;
import io.github.etcdgitops.gateway.kube.read.ForeignReads;
import io.github.etcdgitops.gateway.kube.read.PodEnd;
import io.github.etcdgitops.gateway.kube.read.QuotaReads;
import io.github.etcdgitops.gateway.kube.read.RingReads;
import io.github.etcdgitops.gateway.kube.read.StateMapper;
import io.github.etcdgitops.gateway.kube.write.AdoptionWrites;
import io.github.etcdgitops.gateway.kube.write.KubernetesManifests;
import io.github.etcdgitops.gateway.kube.write.Leases;
import io.github.etcdgitops.gateway.kube.write.MemberWrites;
import io.github.etcdgitops.gateway.kube.write.RingWrites;
import io.github.etcdgitops.gateway.kube.write.TemplateWrites;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.NamespaceQuota;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.health.StartTrouble.Subject;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/// [KubernetesGateway] on a real API server. It only delegates; the caller owns the connection.
public final class Fabric8Gateway implements KubernetesGateway {
    private final KubeApi own;
    private final ClusterIdentity identity;
    private final RingApis apis;
    private final FleetList fleet;
    private final RingReads reads;
    private final EventReads events;
    private final QuotaReads quotas;
    private final ForeignReads foreigners;
    private final AdoptionWrites adoption;
    private final RingWrites writes;
    private final TemplateWrites templates;
    private final MemberWrites members;
    private final Leases leases;
    private final Manifests manifests = new KubernetesManifests();

    public Fabric8Gateway(KubeConnection connection) {
        this.own = connection.own();
        this.identity = new ClusterIdentity(own);
        this.apis = connection.rings();
        this.fleet = new FleetList(own, connection.settings().namespaces());
        this.reads = new RingReads(apis, own);
        this.events = new EventReads(apis);
        this.quotas = new QuotaReads(apis);
        this.foreigners = new ForeignReads(apis);
        this.adoption = new AdoptionWrites(apis);
        this.writes = new RingWrites(apis);
        this.templates = new TemplateWrites(apis);
        this.members = new MemberWrites(apis);
        this.leases = new Leases(apis);
    }

    @Override
    public String clusterUid() {
        return identity.uid();
    }

    @Override
    public Optional<Instant> serverTime() {
        try {
            return own.dated("/api/v1/namespaces/" + ClusterIdentity.KUBE_SYSTEM)
                    .flatMap(KubeApi.Dated::date);
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> namespaceSuspension(String namespace) {
        return own.get(ObjectKind.NAMESPACE, "", namespace).flatMap(n -> Tree.annotation(n, Labels.SUSPEND));
    }

    /// Rings of one namespace may be created at the same time: the second one finds it existing.
    @Override
    public void ensureNamespace(ClusterRef ref, String namespace) {
        KubeApi api = apis.of(ref);
        if (isThere(api, namespace)) {
            return;
        }
        var target = Tree.object();
        target.put("apiVersion", "v1").put("kind", "Namespace");
        target.putObject("metadata").put("name", namespace);
        try {
            api.create(ObjectKind.NAMESPACE, "", target);
        } catch (GatewayException e) {
            if (e.kind() != Kind.CONFLICT || !isThere(api, namespace)) {
                throw e;
            }
        }
    }

    private static boolean isThere(KubeApi api, String namespace) {
        return api.get(ObjectKind.NAMESPACE, "", namespace).isPresent();
    }

    @Override
    public Listing list(Predicate<ClusterRef> wanted) {
        return fleet.list(wanted);
    }

    @Override
    public KubeState read(ClusterRef ref, int claims) {
        return reads.read(ref, claims);
    }

    @Override
    public Optional<String> warning(ClusterRef ref, Subject about) {
        return events.warning(ref, about);
    }

    @Override
    public List<NamespaceQuota> quotas(ClusterRef ref) {
        return quotas.of(ref);
    }

    @Override
    public Observed<Optional<Foreign>> readForeign(ClusterRef ref) {
        return foreigners.read(ref);
    }

    @Override
    public void keepForeign(ClusterRef ref, String uid, long epoch) {
        adoption.keep(ref, uid, epoch);
    }

    @Override
    public void orphan(ClusterRef ref, String uid) {
        adoption.orphan(ref, uid);
    }

    @Override
    public void takePod(ClusterRef ref, int ordinal, String uid) {
        adoption.takePod(ref, ordinal, uid);
    }

    @Override
    public void takeClaim(ClusterRef ref, String name, String uid) {
        adoption.takeClaim(ref, name, uid);
    }

    @Override
    public void takeService(ClusterRef ref) {
        adoption.takeService(ref);
    }

    @Override
    public void recreateStatefulSet(RingObjects wanted, int replicas) {
        adoption.recreate(wanted, replicas);
    }

    @Override
    public Map<ManagedObject, Map<String, Object>> render(RingObjects wanted) {
        return manifests.render(wanted);
    }

    @Override
    public List<ObjectDrift> drift(KubeState live, RingObjects wanted) {
        return manifests.drift(live, wanted);
    }

    @Override
    public String templateDigest(RingObjects wanted) {
        return manifests.templateDigest(wanted);
    }

    @Override
    public void apply(ManagedObject object, RingObjects wanted) {
        writes.apply(object, wanted);
    }

    @Override
    public void delete(ManagedObject object, ClusterRef ref, long epoch) {
        writes.delete(object, ref, epoch);
    }

    @Override
    public String writeJournal(ClusterRef ref, Journal journal, Optional<String> resourceVersion) {
        return writes.writeJournal(ref, journal, resourceVersion);
    }

    @Override
    public void writeMemberConfig(RingObjects wanted, int ordinal, Optional<MemberConfig> config) {
        writes.writeMemberConfig(wanted, ordinal, config);
    }

    @Override
    public void createStatefulSet(RingObjects wanted, int replicas) {
        writes.createStatefulSet(wanted, replicas);
    }

    @Override
    public void setReplicas(ClusterRef ref, KubeState.StatefulSetState expected, int replicas, long epoch) {
        writes.setReplicas(ref, expected, replicas, epoch);
    }

    @Override
    public void writeTemplate(RingObjects wanted, KubeState.StatefulSetState expected) {
        templates.write(wanted, expected);
    }

    @Override
    public void setPartition(ClusterRef ref, KubeState.StatefulSetState expected, int partition, long epoch) {
        templates.setPartition(ref, expected, partition, epoch);
    }

    @Override
    public void reinstateTemplate(ClusterRef ref, KubeState.StatefulSetState expected, String digest, long epoch) {
        templates.reinstate(ref, expected, digest, epoch);
    }

    @Override
    public void markPod(
            ClusterRef ref,
            int ordinal,
            String uid,
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations) {
        members.markPod(ref, ordinal, uid, labels, annotations);
    }

    @Override
    public void markClaim(ClusterRef ref, String name, String uid, Optional<Instant> left) {
        members.markClaim(ref, name, uid, left);
    }

    @Override
    public void deletePod(ClusterRef ref, int ordinal, String uid) {
        members.deletePod(ref, ordinal, uid);
    }

    @Override
    public void releasePod(ClusterRef ref, int ordinal, String uid) {
        members.releasePod(ref, ordinal, uid);
    }

    @Override
    public Optional<KubeState.PodState> pod(ClusterRef ref, int ordinal) {
        return apis.of(ref)
                .get(ObjectKind.POD, ref.namespace(), ref.podName(ordinal))
                .filter(pod -> Tree.ours(ref, pod))
                .map(StateMapper::pod);
    }

    @Override
    public Optional<LeaseState> readLease(ClusterRef ref) {
        return leases.read(ref);
    }

    @Override
    public String writeLease(ClusterRef ref, LeaseState lease, Optional<String> resourceVersion) {
        return leases.write(ref, lease, resourceVersion);
    }

    @Override
    public boolean podMayRun(String namespace, String name, String uid) {
        return own.get(ObjectKind.POD, namespace, name)
                .filter(pod -> Tree.uid(pod).equals(uid) && !PodEnd.of(pod))
                .isPresent();
    }

    /// Closes nothing: see [KubeConnection].
    @Override
    public void close() {}
}
