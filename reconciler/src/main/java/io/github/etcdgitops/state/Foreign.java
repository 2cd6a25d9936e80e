package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A StatefulSet that has a ring's name and is not ours, with its pods and the claims that they mount, by
/// ordinal. `taken` names other objects that are not ours and have a name that the ring needs: `Service
/// orders`.
public record Foreign(
        Workload set,
        Template template,
        SortedMap<Integer, Pod> pods,
        SortedMap<Integer, Claim> claims,
        List<String> taken) {
    public Foreign {
        pods = KubeState.byOrdinal(pods);
        claims = KubeState.byOrdinal(claims);
        taken = taken.stream().sorted().toList();
    }

    /// `claims` are the claim templates, by name. `strategy` is `RollingUpdate` or `OnDelete`; `still`
    /// means that no roll is under way and the controller has seen the latest generation.
    public record Workload(
            String uid,
            int replicas,
            String serviceName,
            String strategy,
            boolean still,
            SortedMap<String, EtcdClusterSpec.Storage> claims) {
        public Workload {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }
    }

    /// `pod` is the pod spec without its containers and volumes (`affinity`, `hostNetwork`, …), as plain
    /// maps and lists.
    public record Template(
            SortedMap<String, String> labels,
            List<Container> containers,
            int initContainers,
            SortedMap<String, Object> pod) {
        public Template {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            containers = List.copyOf(containers);
            pod = Collections.unmodifiableSortedMap(new TreeMap<>(pod));
        }
    }

    /// `environment` is in the order of the template, because later entries refer to earlier ones. `more`
    /// says that part of the environment is not listed here (`envFrom`).
    public record Container(
            String image,
            List<String> command,
            List<String> args,
            List<Variable> environment,
            boolean more,
            List<Mount> mounts,
            SortedMap<String, Object> resources) {
        public Container {
            command = List.copyOf(command);
            args = List.copyOf(args);
            environment = List.copyOf(environment);
            mounts = List.copyOf(mounts);
            resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
        }
    }

    /// Either a text, or the path of a pod field (`metadata.name`). Neither where the value is in a Secret
    /// or a ConfigMap.
    public record Variable(String name, Optional<String> text, Optional<String> field) {}

    /// `subPath` is empty where the root of the volume is mounted.
    public record Mount(String volume, String path, String subPath) {}

    /// `controller` is the UID of the controller that owns it. `mounted` is the claim behind each volume.
    public record Pod(
            String name,
            Optional<String> ip,
            SortedMap<String, String> labels,
            Optional<String> controller,
            Map<String, String> mounted,
            KubeState.PodState state) {
        public Pod {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            mounted = Map.copyOf(mounted);
        }
    }

    public record Claim(String name, String uid, ClaimPhase phase, EtcdClusterSpec.Storage storage) {}
}
