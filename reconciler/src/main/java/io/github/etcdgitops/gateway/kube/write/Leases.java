package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.read.ForeignObjectReads;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// The ring's Lease. Its guarantee rests on one fact: of two writers with the same resourceVersion, one
/// loses.
public final class Leases {
    /// Kubernetes' MicroTime: always six digits.
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final RingApis apis;

    public Leases(RingApis apis) {
        this.apis = apis;
    }

    public Optional<LeaseState> read(ClusterRef ref) {
        return apis.of(ref)
                .get(ObjectKind.LEASE, ref.namespace(), Labels.lease(ref))
                .map(lease -> state(ref, lease));
    }

    private static LeaseState state(ClusterRef ref, ObjectNode lease) {
        ForeignObjectReads.refuse(
                ApiCall.of(Verb.GET, ObjectKind.LEASE, ref.namespace(), Labels.lease(ref)), ref, lease);
        JsonNode spec = lease.path("spec");
        String holder = spec.path("holderIdentity").asText("");
        return new LeaseState(
                holder.isEmpty() ? Optional.empty() : Optional.of(holder),
                instant(spec.path("renewTime").asText("")),
                spec.path("leaseDurationSeconds").asInt(0),
                spec.path("leaseTransitions").asLong(0),
                Optional.of(Tree.resourceVersion(lease)));
    }

    /// An unreadable time counts as long ago; the holder must then still be found gone, or the epoch grows.
    private static Instant instant(String text) {
        try {
            return text.isEmpty() ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException _) {
            return Instant.EPOCH;
        }
    }

    public String write(ClusterRef ref, LeaseState lease, Optional<String> resourceVersion) {
        ObjectNode target = resourceVersion.isPresent() ? held(ref, resourceVersion.get()) : fresh(ref);
        ObjectNode spec = target.withObjectProperty("spec");
        String renewed = MICRO_TIME.format(lease.renewed());
        String holder = lease.holder().orElse("");
        if (!holder.equals(spec.path("holderIdentity").asText(""))) {
            spec.put("acquireTime", renewed);
        }
        if (holder.isEmpty()) {
            spec.remove("holderIdentity");
        } else {
            spec.put("holderIdentity", holder);
        }
        spec.put("renewTime", renewed);
        spec.put("leaseDurationSeconds", lease.durationSeconds());
        spec.put("leaseTransitions", Math.toIntExact(lease.transitions()));
        ObjectNode written = resourceVersion.isPresent()
                ? apis.of(ref).update(ObjectKind.LEASE, ref.namespace(), target)
                : apis.of(ref).create(ObjectKind.LEASE, ref.namespace(), target);
        return Tree.resourceVersion(written);
    }

    private static ObjectNode fresh(ClusterRef ref) {
        ObjectNode lease = Tree.object();
        Tree.metadata(lease).put("namespace", ref.namespace()).put("name", Labels.lease(ref));
        Labels.of(ref)
                .forEach((key, value) ->
                        Tree.metadata(lease).withObjectProperty("labels").put(key, value));
        return lease;
    }

    /// Read first, because the update must contain the UID: an API server answers an update of a deleted
    /// Lease by creating it, whatever resourceVersion was given, and the epoch would start again.
    private ObjectNode held(ClusterRef ref, String resourceVersion) {
        ApiCall call = ApiCall.of(Verb.UPDATE, ObjectKind.LEASE, ref.namespace(), Labels.lease(ref));
        ObjectNode live = apis.of(ref)
                .get(ObjectKind.LEASE, ref.namespace(), Labels.lease(ref))
                .orElseThrow(() -> call.failed(Kind.CONFLICT, "it is gone"));
        ForeignObjectReads.refuse(call, ref, live);
        if (!Tree.resourceVersion(live).equals(resourceVersion)) {
            throw call.failed(Kind.CONFLICT, "it changed after it was read");
        }
        return live;
    }
}
