package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// A Job of a ring: one pod, which is not tried again, without a token.
record JobManifest(RingObjects ring, String namespace, String name) {
    /// `annotations` are more than the writer's epoch; `spec` begins with [#once].
    ObjectNode render(Map<String, String> annotations, JsonObject spec, JsonObject pod) {
        var labels = Labels.ofJob(ring.spec().ref(), name);
        var all = new TreeMap<>(annotations);
        all.put(Labels.EPOCH, Long.toString(ring.epoch()));
        var metadata = new JsonObject()
                .put("name", name)
                .put("namespace", namespace)
                .put("labels", labels)
                .put("annotations", all);
        var podMetadata = new JsonObject()
                .put("labels", podLabels(ring.spec(), labels))
                .put("annotations", ring.spec().podTemplate().annotations());
        pod.put("restartPolicy", "Never")
                .put("automountServiceAccountToken", false)
                .put("enableServiceLinks", false);
        spec.put("template", new JsonObject().put("metadata", podMetadata).put("spec", pod));
        return JsonObject.of(ObjectKind.JOB, metadata).put("spec", spec).tree();
    }

    static JsonObject once(Duration deadline) {
        return new JsonObject()
                .put("parallelism", 1)
                .put("completions", 1)
                .put("backoffLimit", 0)
                .put("activeDeadlineSeconds", deadline.toSeconds())
                // Where it is supported: a second pod never starts while the first may still write.
                .put("podReplacementPolicy", "Failed");
    }

    /// A policy of the cluster may require the user's own labels; labels that select members are left out.
    private static Map<String, String> podLabels(EtcdClusterSpec spec, Map<String, String> ours) {
        Map<String, String> labels = new TreeMap<>(spec.podTemplate().labels());
        Labels.of(spec.ref()).keySet().forEach(labels::remove);
        labels.remove(Labels.CLIENTS);
        labels.putAll(ours);
        return labels;
    }
}
