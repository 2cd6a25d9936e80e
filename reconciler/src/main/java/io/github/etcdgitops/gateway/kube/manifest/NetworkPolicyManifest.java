package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;
import java.util.Optional;

/// Who may connect to a member's ports: peers only each other, clients and metrics as the spec says.
final class NetworkPolicyManifest {
    private NetworkPolicyManifest() {}

    static NetworkPolicy of(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        NetworkAccess network = wanted.spec().network();
        return new NetworkPolicyBuilder()
                .withMetadata(Metadata.of(wanted, ref.name()))
                .withNewSpec()
                .withPodSelector(members(ref))
                .withPolicyTypes("Ingress")
                .withIngress(
                        peers(wanted),
                        admitted(ref, network.clients(), Ports.CLIENT),
                        admitted(ref, network.metrics(), Ports.METRICS))
                .endSpec()
                .build();
    }

    /// The reconciler checks that peers require a certificate: it has none that would make it a member.
    private static NetworkPolicyIngressRule peers(RingObjects wanted) {
        var rule = new NetworkPolicyIngressRuleBuilder()
                .withFrom(ring(wanted.spec().ref()));
        if (wanted.authority().isPresent()) {
            rule.addToFrom(reconciler());
        }
        if (wanted.applied().transport().peer().plain()) {
            rule.addToPorts(port(Ports.PEER));
        }
        return rule.addToPorts(port(Ports.PEER_TLS)).build();
    }

    /// Whatever the spec allows, the members themselves and the reconciler stay allowed: a reconciler that
    /// cannot reach a member can neither observe nor repair the ring.
    private static NetworkPolicyIngressRule admitted(ClusterRef ref, Optional<Map<String, Object>> from, int port) {
        var rule = new NetworkPolicyIngressRuleBuilder().withPorts(port(port));
        return from.map(selector -> rule.withFrom(namespaces(selector), ring(ref), reconciler()))
                .orElse(rule)
                .build();
    }

    private static NetworkPolicyPeer namespaces(Map<String, Object> selector) {
        return new NetworkPolicyPeerBuilder()
                .withNamespaceSelector(CanonicalJson.MAPPER.convertValue(selector, LabelSelector.class))
                .build();
    }

    private static NetworkPolicyPeer ring(ClusterRef ref) {
        return new NetworkPolicyPeerBuilder().withPodSelector(members(ref)).build();
    }

    /// Requires both labels, the pod's and its namespace's: a user who may only create pods cannot get
    /// access.
    private static NetworkPolicyPeer reconciler() {
        return new NetworkPolicyPeerBuilder()
                .withNamespaceSelector(selector(Map.of(Labels.RECONCILER, Labels.YES)))
                .withPodSelector(selector(Map.of(Labels.NAME, Labels.MANAGER)))
                .build();
    }

    private static LabelSelector members(ClusterRef ref) {
        return selector(Labels.selector(ref));
    }

    private static LabelSelector selector(Map<String, String> labels) {
        return new LabelSelectorBuilder()
                .withMatchLabels(Metadata.sorted(labels))
                .build();
    }

    private static NetworkPolicyPort port(int number) {
        return new NetworkPolicyPortBuilder()
                .withProtocol("TCP")
                .withNewPort(number)
                .build();
    }
}
