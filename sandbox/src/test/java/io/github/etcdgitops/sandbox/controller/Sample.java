package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import org.yaml.snakeyaml.Yaml;

/// Objects to decide on.
final class Sample {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Sample() {}

    static ObjectNode of(String yaml) {
        return MAPPER.convertValue(new Yaml().load(yaml), ObjectNode.class);
    }

    static ObjectNode set(int replicas, int partition) {
        return of("""
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: ring, namespace: a, uid: set-uid, generation: 7}
                spec:
                  replicas: %d
                  serviceName: ring-peer
                  podManagementPolicy: Parallel
                  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: %d}}
                  selector: {matchLabels: {app: etcd}}
                  template:
                    metadata: {labels: {app: etcd, extra: x}, annotations: {template: one}}
                    spec:
                      containers: [{name: etcd, image: "etcd:1"}]
                      volumes: [{name: data, emptyDir: {}}, {name: members, configMap: {name: ring-members}}]
                  volumeClaimTemplates:
                  - metadata: {name: data, labels: {own: label}}
                    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """.formatted(replicas, partition));
    }

    static ObjectNode withTemplate(ObjectNode set, String annotation) {
        ObjectNode changed = set.deepCopy();
        changed.withObjectProperty("spec")
                .withObjectProperty("template")
                .withObjectProperty("metadata")
                .withObjectProperty("annotations")
                .put("template", annotation);
        return changed;
    }

    static ObjectNode withPolicy(ObjectNode set, String policy) {
        set.withObjectProperty("spec").put("podManagementPolicy", policy);
        return set;
    }

    /// A pod of the set at a revision, running and ready.
    static ObjectNode pod(int ordinal, String revision) {
        return of("""
                metadata:
                  name: ring-%d
                  namespace: a
                  uid: pod-%d
                  labels: {app: etcd, controller-revision-hash: %s}
                  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: ring, uid: set-uid, controller: true}]
                spec: {nodeName: node-1, hostname: ring-%d, subdomain: ring-peer}
                status: {phase: Running, podIP: 127.0.0.%d, conditions: [{type: Ready, status: "True"}]}
                """.formatted(ordinal, ordinal, revision, ordinal, ordinal));
    }

    static ObjectNode unready(ObjectNode pod) {
        pod.withObjectProperty("status").remove("conditions");
        return pod;
    }

    static ObjectNode ending(ObjectNode object) {
        Meta.of(object).put("deletionTimestamp", "2026-01-01T00:00:00Z");
        return object;
    }
}
