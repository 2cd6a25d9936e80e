package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.kube.ApiCall.Verb;
import io.github.etcdgitops.spec.ClusterRef;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// The ring's Lease. All that it promises rests on one thing: of two writers with the same resourceVersion, one loses.
final class Leases {
    /// Kubernetes' MicroTime: always six digits.
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubeApi api;

    Leases(KubeApi api) {
        this.api = api;
    }

    Optional<LeaseState> read(ClusterRef ref) {
        return api.get(ObjectKind.LEASE, ref.namespace(), Labels.lease(ref)).map(lease -> state(ref, lease));
    }

    private static LeaseState state(ClusterRef ref, ObjectNode lease) {
        if (!Tree.ours(ref, lease)) {
            throw ApiCall.of(Verb.GET, ObjectKind.LEASE, ref.namespace(), Labels.lease(ref))
                    .failed(
                            Kind.REJECTED,
                            "it has a name of this ring and not its labels: it belongs to somebody else");
        }
        JsonNode spec = lease.path("spec");
        String holder = spec.path("holderIdentity").asText("");
        return new LeaseState(
                holder.isEmpty() || spec.path("holderIdentity").isNull() ? Optional.empty() : Optional.of(holder),
                instant(spec.path("renewTime").asText("")),
                spec.path("leaseDurationSeconds").asInt(0),
                spec.path("leaseTransitions").asLong(0),
                Optional.of(Tree.resourceVersion(lease)));
    }

    /// A time that cannot be read counts as long ago; the holder then still has to be found gone, or the epoch grows.
    private static Instant instant(String text) {
        try {
            return text.isEmpty() ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException _) {
            return Instant.EPOCH;
        }
    }

    String write(ClusterRef ref, LeaseState lease, Optional<String> resourceVersion) {
        ObjectNode target = Tree.object();
        ObjectNode metadata = target.putObject("metadata");
        metadata.put("namespace", ref.namespace()).put("name", Labels.lease(ref));
        Labels.of(ref)
                .forEach((key, value) -> metadata.withObjectProperty("labels").put(key, value));
        resourceVersion.ifPresent(version -> metadata.put("resourceVersion", version));
        ObjectNode spec = target.putObject("spec");
        lease.holder().filter(h -> !h.isEmpty()).ifPresent(holder -> spec.put("holderIdentity", holder));
        spec.put("renewTime", MICRO_TIME.format(lease.renewed()));
        spec.put("leaseDurationSeconds", lease.durationSeconds());
        spec.put("leaseTransitions", Math.toIntExact(lease.transitions()));
        ObjectNode written = resourceVersion.isPresent()
                ? api.update(ObjectKind.LEASE, ref.namespace(), target)
                : api.create(ObjectKind.LEASE, ref.namespace(), target);
        return Tree.resourceVersion(written);
    }
}
