package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.PodManifest;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;

/// Writes what decides which pods get which template: the template itself, and the partition. The pods
/// below the partition keep the controller's current revision, whatever happens to them.
public final class TemplateWrites {
    private final RingApis apis;

    public TemplateWrites(RingApis apis) {
        this.apis = apis;
    }

    public void write(RingObjects wanted, KubeState.StatefulSetState expected) {
        var write = new StatefulSetWrite(apis, wanted.spec().ref(), expected, wanted.epoch());
        ObjectNode template = PodManifest.template(wanted);
        write.change(set -> {
            if (partition(set) < replicas(set)) {
                throw write.call()
                        .failed(Kind.CONFLICT, "a rollout is under way: the pod template cannot change until it ends");
            }
            spec(set).set("template", template);
            Tree.annotate(set, Labels.TEMPLATE_DIGEST, PodManifest.digest(wanted));
        });
    }

    public void setPartition(ClusterRef ref, KubeState.StatefulSetState expected, int partition, long epoch) {
        new StatefulSetWrite(apis, ref, expected, epoch).change(set -> put(set, partition));
    }

    /// From the controller's own record, byte for byte, so that it is the same revision again.
    public void reinstate(ClusterRef ref, KubeState.StatefulSetState expected, String digest, long epoch) {
        var write = new StatefulSetWrite(apis, ref, expected, epoch);
        if (expected.templateDigest().equals(digest)) {
            write.change(set -> put(set, replicas(set)));
            return;
        }
        if (!expected.rollout().inProgress()) {
            throw write.call()
                    .failed(Kind.CONFLICT, "the new template is the current one: the former one is not known");
        }
        String revision = expected.rollout().currentRevision();
        ObjectNode template = apis.of(ref)
                .get(ObjectKind.REVISION, ref.namespace(), revision)
                .map(notes -> notes.path("data").path("spec").path("template"))
                .filter(ObjectNode.class::isInstance)
                .map(found -> ((ObjectNode) found).deepCopy())
                .orElseThrow(() -> write.call()
                        .failed(
                                Kind.NOT_FOUND,
                                "the ControllerRevision " + revision + " with its former template is gone"));
        template.remove("$patch");
        write.change(set -> {
            spec(set).set("template", template);
            put(set, replicas(set));
            Tree.annotate(set, Labels.TEMPLATE_DIGEST, digest);
        });
    }

    private static ObjectNode spec(ObjectNode set) {
        return set.withObjectProperty("spec");
    }

    private static int replicas(ObjectNode set) {
        return set.path("spec").path("replicas").asInt(1);
    }

    private static int partition(ObjectNode set) {
        return set.path("spec")
                .path("updateStrategy")
                .path("rollingUpdate")
                .path("partition")
                .asInt(0);
    }

    private static void put(ObjectNode set, int partition) {
        spec(set)
                .withObjectProperty("updateStrategy")
                .put("type", "RollingUpdate")
                .withObjectProperty("rollingUpdate")
                .put("partition", partition);
    }
}
