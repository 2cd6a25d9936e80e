package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;
import java.util.TreeMap;

/// The two Services of a ring: one gives every member its DNS name, one is for clients.
final class ServiceManifests {
    private ServiceManifests() {}

    /// Publishes members that are not ready: a ring cannot become ready before its members find each other.
    static Service peers(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        return new ServiceBuilder()
                .withMetadata(Metadata.of(wanted, Labels.peerService(ref)))
                .withNewSpec()
                .withType("ClusterIP")
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Metadata.sorted(Labels.selector(ref)))
                .withPorts(Ports.of(wanted.applied().transport()).entrySet().stream()
                        .map(p -> port(p.getKey(), p.getValue()))
                        .toList())
                .endSpec()
                .build();
    }

    /// Only ready members, and no joining learner: it may look ready and refuses most requests.
    static Service clients(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        Map<String, String> selector = new TreeMap<>(Labels.selector(ref));
        selector.put(Labels.CLIENTS, Labels.YES);
        return new ServiceBuilder()
                .withMetadata(Metadata.of(wanted, ref.name()))
                .withNewSpec()
                .withType("ClusterIP")
                .withPublishNotReadyAddresses(false)
                .withSelector(selector)
                .withPorts(port(Ports.CLIENT_NAME, Ports.CLIENT))
                .endSpec()
                .build();
    }

    private static ServicePort port(String name, int number) {
        return new ServicePortBuilder()
                .withName(name)
                .withPort(number)
                .withNewTargetPort(name)
                .withProtocol("TCP")
                .build();
    }
}
