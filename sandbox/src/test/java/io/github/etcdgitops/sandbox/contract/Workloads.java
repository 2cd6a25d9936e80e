package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.PLAIN;
import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.Await;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;

/// Pods that really run, and what is asked of them. Those with the label `unready` never become ready.
record Workloads(KubeUnderTest kube) {
    /// For the controllers of a real cluster on a machine that is busy.
    private static final Duration PATIENCE = Duration.ofMinutes(6);
    private static final String CONTAINER = """
            {'name': 'etcd', 'image': 'gcr.io/etcd-development/etcd:v3.5.16', 'imagePullPolicy': 'IfNotPresent',
             'command': ['/usr/local/bin/etcd', '--data-dir=/tmp/etcd'],
             'ports': [{'name': 'client', 'containerPort': 2379}]}""";

    /// A Parallel set whose partition is its size.
    static ObjectNode ring(String name, int replicas) {
        return json(
                """
                {'apiVersion': 'apps/v1', 'kind': 'StatefulSet', 'metadata': {'name': 'NAME'},
                 'spec': {'replicas': SIZE, 'serviceName': 'NAME-peer', 'podManagementPolicy': 'Parallel',
                  'updateStrategy': {'type': 'RollingUpdate', 'rollingUpdate': {'partition': SIZE}},
                  'selector': {'matchLabels': {'app': 'NAME'}},
                  'template': {'metadata': {'labels': {'app': 'NAME'}, 'annotations': {'template': 'one'}},
                   'spec': {'terminationGracePeriodSeconds': 1, 'containers': [CONTAINER]}}}}
                """.replace("CONTAINER", CONTAINER).replace("NAME", name).replace("SIZE", String.valueOf(replicas)));
    }

    static ObjectNode ringWithClaims(String name, int replicas) {
        ObjectNode ring = ring(name, replicas);
        ring.withObject("/spec").putArray("volumeClaimTemplates").add(json("""
                {'metadata': {'name': 'data', 'labels': {'own': 'label'}}, 'spec': {'accessModes': ['ReadWriteOnce'],
                 'resources': {'requests': {'storage': '1Mi'}}}}"""));
        return ring;
    }

    /// The container's readiness is asked for where nobody listens.
    static ObjectNode unready(ObjectNode ring) {
        ring.withObject("/spec/template/metadata/labels").put("unready", "yes");
        ObjectNode container = (ObjectNode) ring.at("/spec/template/spec/containers/0");
        container.withObject("/readinessProbe/tcpSocket").put("port", 1);
        return ring;
    }

    static ObjectNode ordered(ObjectNode ring) {
        ring.withObject("/spec").put("podManagementPolicy", "OrderedReady");
        return ring;
    }

    /// One pod, and one attempt.
    static ObjectNode job(String name) {
        ObjectNode job = Samples.job(name);
        job.withObject("/spec")
                .put("backoffLimit", 0)
                .put("completions", 1)
                .put("parallelism", 1)
                .put("podReplacementPolicy", "Failed");
        return job;
    }

    static ObjectNode claim(String name) {
        return json("{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': '" + name
                + "', 'labels': {'made': 'before'}}, 'spec': {'accessModes': ['ReadWriteOnce'],"
                + " 'resources': {'requests': {'storage': '1Mi'}}}}");
    }

    Reply set(String name) {
        return kube.get("statefulsets", name);
    }

    Reply pod(String name) {
        return kube.get("pods", name);
    }

    List<JsonNode> pods(String app) {
        JsonNode items = kube.list("pods", "labelSelector=app%3D" + app).body().path("items");
        return StreamSupport.stream(items.spliterator(), false).toList();
    }

    void create(ObjectNode ring, int ready) {
        String name = ring.at("/metadata/name").asText();
        Reply created = kube.create("statefulsets", ring);
        if (created.code() != 201) {
            throw new AssertionError(created);
        }
        await(() -> isAtRest(name, ready));
    }

    void template(String ring, String value) {
        kube.merge(
                "statefulsets",
                ring,
                "{'spec': {'template': {'metadata': {'annotations': {'template': '" + value + "'}}}}}");
    }

    void partition(String ring, int partition) {
        kube.merge(
                "statefulsets",
                ring,
                "{'spec': {'updateStrategy': {'rollingUpdate': {'partition': " + partition + "}}}}");
    }

    void scale(String ring, int replicas) {
        kube.merge("statefulsets", ring, "{'spec': {'replicas': " + replicas + "}}");
    }

    boolean isSeen(Reply set) {
        return set.at("/status/observedGeneration").equals(set.at("/metadata/generation"));
    }

    /// Seen by its controller, and so many pods that are ready and none that is about to go.
    boolean isAtRest(String ring, int ready) {
        Reply set = set(ring);
        List<JsonNode> pods = pods(ring);
        return isSeen(set)
                && set.body().at("/status/replicas").asInt()
                        == set.body().at("/spec/replicas").asInt()
                && set.body().at("/status/readyReplicas").asInt() == ready
                && pods.size() == set.body().at("/spec/replicas").asInt()
                && pods.stream().noneMatch(pod -> pod.at("/metadata").has("deletionTimestamp"));
    }

    String revision(String pod) {
        return pod(pod).at("/metadata/labels/controller-revision-hash");
    }

    void deletePod(String name) {
        String uid = pod(name).uid();
        kube.delete(
                "pods", name, "{'apiVersion': 'v1', 'kind': 'DeleteOptions', 'preconditions': {'uid': '" + uid + "'}}");
    }

    boolean ends(String pod) {
        return pod(pod).body().at("/metadata").has("deletionTimestamp");
    }

    /// Whoever ends this pod, it stays until it is released.
    void hold(String pod) {
        kube.merge("pods", pod, "{'metadata': {'finalizers': ['contract.test/hold']}}");
    }

    void release(String pod) {
        kube.merge("pods", pod, "{'metadata': {'finalizers': null}}");
    }

    Reply volume(String name) {
        return kube.send("GET", "/api/v1/persistentvolumes/" + name, PLAIN, "");
    }

    Reply evict(String pod) {
        String eviction = "{'apiVersion': 'policy/v1beta1', 'kind': 'Eviction', 'metadata': {'name': '" + pod + "'}}";
        return kube.send("POST", kube.path("pods") + "/" + pod + "/eviction", PLAIN, eviction.replace('\'', '"'));
    }

    static void await(Callable<Boolean> condition) {
        Await.until("what the claim waits for", PATIENCE, condition);
    }
}
