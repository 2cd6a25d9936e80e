package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Objects that no controller and no scheduler of a real Kubernetes does anything with.
final class Samples {
    private Samples() {}

    static ObjectNode configMap(String name) {
        return json("{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': '" + name
                + "'}, 'data': {'a': '1', 'b': '2'}}");
    }

    static ObjectNode labelled(String name, String labels) {
        ObjectNode object = configMap(name);
        object.withObject("/metadata").set("labels", json(labels));
        return object;
    }

    static ObjectNode statefulSet(String name) {
        return json("""
                {'apiVersion': 'apps/v1', 'kind': 'StatefulSet', 'metadata': {'name': 'NAME'},
                 'spec': {'replicas': 0, 'serviceName': 'NAME', 'selector': {'matchLabels': {'app': 'NAME'}},
                  'template': {'metadata': {'labels': {'app': 'NAME'}},
                   'spec': {'containers': [{'name': 'etcd', 'image': 'etcd:v3.5.16',
                     'ports': [{'containerPort': 2379}], 'livenessProbe': {'tcpSocket': {'port': 2379}},
                     'readinessProbe': {'httpGet': {'port': 2378}},
                     'resources': {'limits': {'cpu': '0.5', 'memory': '1024Mi'}}}],
                    'volumes': [{'name': 'files', 'configMap': {'name': 'files'}},
                     {'name': 'keys', 'secret': {'secretName': 'keys'}}]}},
                  'volumeClaimTemplates': [{'metadata': {'name': 'data'}, 'spec': {'accessModes': ['ReadWriteOnce'],
                   'resources': {'requests': {'storage': '1024Mi'}}}}]}}
                """.replace("NAME", name));
    }

    /// Its pods are on a node that is not there.
    static ObjectNode job(String name) {
        return json("""
                {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': 'NAME'},
                 'spec': {'template': {'metadata': {'labels': {'app': 'NAME'}, 'annotations': {'template': 'one'}},
                  'spec': {'restartPolicy': 'Never', 'nodeName': 'no-such-node', 'automountServiceAccountToken': false,
                   'initContainers': [{'name': 'first', 'image': 'first:v1', 'ports': [{'containerPort': 2390}],
                    'terminationMessagePolicy': 'FallbackToLogsOnError',
                    'resources': {'limits': {'memory': '1024Mi'}}}],
                   'containers': [{'name': 'then', 'image': 'then:v1'}]}}}}
                """.replace("NAME", name));
    }

    /// Nobody schedules it.
    static ObjectNode pod(String name) {
        return json("{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': '" + name + "', 'labels': {'app': '"
                + name + "'}}, 'spec': {'schedulerName': 'nobody', 'containers': [{'name': 'c', 'image': 'c:v1'}]}}");
    }

    /// On a node that is not there: nobody runs it, and nobody ends it.
    static ObjectNode boundPod(String name) {
        ObjectNode pod = pod(name);
        pod.withObject("/spec").put("nodeName", "no-such-node").put("automountServiceAccountToken", false);
        return pod;
    }

    static ObjectNode budget(String name, String app, int minAvailable) {
        return json("{'apiVersion': 'policy/v1beta1', 'kind': 'PodDisruptionBudget', 'metadata': {'name': '" + name
                + "'}, 'spec': {'minAvailable': " + minAvailable + ", 'selector': {'matchLabels': {'app': '" + app
                + "'}}}}");
    }

    static ObjectNode claim(String name) {
        return json("{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': '" + name
                + "'}, 'spec': {'storageClassName': 'nobody', 'accessModes': ['ReadWriteOnce'],"
                + " 'resources': {'requests': {'storage': '1024Mi'}}}}");
    }

    static ObjectNode service(String name, String spec) {
        ObjectNode service = json("{'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': '" + name + "'}}");
        service.set("spec", json(spec));
        return service;
    }

    static ObjectNode lease(String name) {
        return json("{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': '" + name
                + "'}, 'spec': {'holderIdentity': 'me', 'leaseDurationSeconds': 30}}");
    }
}
