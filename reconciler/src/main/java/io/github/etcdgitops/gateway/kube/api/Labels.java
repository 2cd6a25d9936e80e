package io.github.etcdgitops.gateway.kube.api;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;

/// Names, labels and annotations of a ring's objects. Selectors are immutable in Kubernetes: they never
/// change again.
public final class Labels {
    public static final String PREFIX = "etcdgitops.dev/";

    public static final String NAME = "app.kubernetes.io/name";
    public static final String INSTANCE = "app.kubernetes.io/instance";
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String CLUSTER = PREFIX + "cluster";

    /// On pods: `yes` lets the client Service select them. The template says yes, so that a pod recreated
    /// by the kubelet or the StatefulSet controller serves at once; a joining learner is set to `no` until
    /// it is promoted.
    public static final String CLIENTS = PREFIX + "clients";

    /// On the reconciler's namespace: network policies let its pods named `etcd-gitops` reach the
    /// members.
    public static final String RECONCILER = PREFIX + "reconciler";

    public static final String YES = "yes";

    /// On claims: the member has left and its data is retained.
    public static final String RELEASED = PREFIX + "released";

    /// Annotation on released claims: when the member left.
    public static final String RELEASED_AT = PREFIX + "released-at";

    /// Annotation on a StatefulSet or on the reconciler's namespace: stop changes. The value says why.
    public static final String SUSPEND = PREFIX + "suspend";

    public static final String EPOCH = PREFIX + "epoch";
    public static final String TEMPLATE_DIGEST = PREFIX + "template-digest";

    /// On pods: the digest of the version and the etcd options that they were created for.
    public static final String CONFIG_DIGEST = PREFIX + "config-digest";

    /// On pods: changed to make the kubelet update mounted files at once.
    public static final String CONFIG_SEEN = PREFIX + "config";

    /// On pods, by the StatefulSet controller: the template that the pod was created from.
    public static final String REVISION = "controller-revision-hash";

    /// On Jobs and their pods: the Job's name. An object with it belongs to a ring and is not part of it.
    public static final String JOB = PREFIX + "job";

    /// Annotations on Jobs: what they were created with.
    public static final String INCARNATION = PREFIX + "incarnation";

    public static final String SHA256 = PREFIX + "snapshot-sha256";
    /// The pod of a member that did not run when its volume was inspected.
    public static final String SEEN = PREFIX + "seen";

    public static final String OPERATION = PREFIX + "operation";

    public static final String MANAGER = "etcd-gitops";

    private Labels() {}

    public static Map<String, String> selector(ClusterRef ref) {
        return Map.of(NAME, "etcd", INSTANCE, ref.name());
    }

    public static Map<String, String> of(ClusterRef ref) {
        return Map.of(NAME, "etcd", INSTANCE, ref.name(), MANAGED_BY, MANAGER, CLUSTER, ref.name());
    }

    /// For the Job `job`: without the labels by which Services, the budget and the StatefulSet of the ring
    /// select pods.
    public static Map<String, String> ofJob(ClusterRef ref, String job) {
        return Map.of(NAME, "etcd-snapshot", MANAGED_BY, MANAGER, CLUSTER, ref.name(), JOB, job);
    }

    public static boolean ours(ClusterRef ref, Map<String, String> labels) {
        return MANAGER.equals(labels.get(MANAGED_BY)) && ref.name().equals(labels.get(CLUSTER));
    }

    public static String peerService(ClusterRef ref) {
        return ref.name() + "-peer";
    }

    public static String members(ClusterRef ref) {
        return ref.name() + "-members";
    }

    public static String journal(ClusterRef ref) {
        return ref.name() + "-journal";
    }

    /// The ConfigMap with the former manifest of an adopted StatefulSet.
    public static String adopted(ClusterRef ref) {
        return ref.name() + "-adopted";
    }

    public static String connection(ClusterRef ref) {
        return ref.name() + "-connection";
    }

    public static String lease(ClusterRef ref) {
        return ref.name() + "-etcd-gitops";
    }
}
