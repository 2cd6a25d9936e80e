package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.KubernetesWorld;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.read.Part;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A namespace of its own on the API server that `ETCD_GITOPS_TEST_KUBECONFIG` names.
final class RealKubernetes implements KubernetesWorld {
    private static final String VARIABLE = "ETCD_GITOPS_TEST_KUBECONFIG";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KubeConnection connection;
    private final Fabric8Gateway gateway;
    private final String namespace =
            "gateway-it-" + UUID.randomUUID().toString().substring(0, 8);

    private RealKubernetes(KubeConnection connection) {
        this.connection = connection;
        this.gateway = new Fabric8Gateway(connection);
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    static KubeConnection.Settings settings() {
        String kubeconfig = System.getenv(VARIABLE);
        assumeTrue(
                kubeconfig != null && !kubeconfig.isBlank(),
                VARIABLE + " is not set: it names the kubeconfig of a Kubernetes to test against");
        return KubeConnection.Settings.DEFAULT.withKubeconfig(Path.of(String.valueOf(kubeconfig)));
    }

    static RealKubernetes open() {
        return new RealKubernetes(KubeConnection.open(settings(), Map.of()));
    }

    KubeConnection connection() {
        return connection;
    }

    private KubernetesClient client() {
        return TypedClient.of(connection);
    }

    @Override
    public KubernetesGateway gateway() {
        return gateway;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public void takeName(ManagedObject object, ClusterRef ref) {
        Part part = Part.of(object);
        ObjectNode foreign = Foreign.tree(object, ref);
        Tree.metadata(foreign).put("name", part.name(ref)).remove("labels");
        connection.own().create(part.kind(), namespace, foreign);
    }

    @Override
    public void makeWithoutUs(ClusterRef ref) {
        client().resource(Foreign.etcd(ref)).create();
    }

    @Override
    public void changeWithoutUs(ClusterRef ref) {
        client().apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName(ref.name())
                .edit(set -> {
                    int partition =
                            set.getSpec().getUpdateStrategy().getRollingUpdate().getPartition();
                    set.getSpec().getUpdateStrategy().getRollingUpdate().setPartition(partition + 1);
                    return set;
                });
    }

    @Override
    public void suspendNamespace(String why) {
        client().namespaces()
                .withName(namespace)
                .edit(n -> new NamespaceBuilder(n)
                        .editMetadata()
                        .addToAnnotations(Labels.SUSPEND, why)
                        .endMetadata()
                        .build());
    }

    @Override
    public void loseLease(ClusterRef ref) {
        client().leases().inNamespace(namespace).withName(Labels.lease(ref)).delete();
    }

    @Override
    public boolean controllers() {
        return true;
    }

    @Override
    public KubeState await(ClusterRef ref, int claims, Predicate<KubeState> until) {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(deadline)) {
            KubeState state = gateway.read(ref, claims);
            if (until.test(state)) {
                return state;
            }
            pause();
        }
        return fail("not so within " + PATIENCE);
    }

    void awaitNode(ClusterRef ref, int ordinal) {
        client().pods()
                .inNamespace(namespace)
                .withName(ref.podName(ordinal))
                .waitUntilCondition(
                        pod -> pod != null && pod.getSpec().getNodeName() != null,
                        PATIENCE.toSeconds(),
                        TimeUnit.SECONDS);
    }

    private static void pause() {
        try {
            var _ = new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        var _ = client().namespaces().withName(namespace).delete();
        connection.close();
    }
}
