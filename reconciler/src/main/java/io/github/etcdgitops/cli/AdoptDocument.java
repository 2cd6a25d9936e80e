package io.github.etcdgitops.cli;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.ForeignMember;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.RingHealth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The EtcdCluster document of a foreign ring, as it runs. Settings that a document cannot express are left
/// out, and the plan names them.
record AdoptDocument(ClusterState state, Foreign foreign, RingState ring) {
    /// The parts of a pod template that a document can contain in Kubernetes' own form.
    private static final List<String> SCHEDULING = List.of(
            "affinity",
            "tolerations",
            "nodeSelector",
            "topologySpreadConstraints",
            "priorityClassName",
            "imagePullSecrets");

    private static final List<String> IDS = List.of("runAsUser", "runAsGroup", "fsGroup");

    /// Keys that etcd-gitops sets itself.
    private static final List<String> RESERVED =
            List.of("app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by");

    String yaml() {
        var document = new LinkedHashMap<String, Object>();
        document.put("apiVersion", "etcdgitops.dev/v1alpha1");
        document.put("kind", "EtcdCluster");
        document.put(
                "metadata",
                ordered("name", state.ref().name(), "namespace", state.ref().namespace()));
        document.put("spec", spec());
        return YamlText.of(document);
    }

    private Map<String, Object> spec() {
        var spec = new LinkedHashMap<String, Object>();
        spec.put(
                "adopt",
                ordered(
                        "statefulSet",
                        state.ref().name(),
                        "clusterId",
                        ring.clusterId().toString()));
        spec.put("size", foreign.set().replicas());
        var version = RingHealth.lowestVersion(ring);
        version.ifPresent(v -> spec.put("version", v.toString()));
        version.flatMap(this::image).ifPresent(image -> spec.put("image", image));
        foreign.set().claims().values().stream().findFirst().ifPresent(storage -> {
            var fields = ordered("size", storage.size());
            storage.storageClassName().ifPresent(name -> fields.put("storageClassName", name));
            spec.put("storage", fields);
        });
        var options = ForeignMember.of(state, foreign, 0).map(m -> m.settings().options());
        options.filter(o -> !o.isEmpty()).ifPresent(o -> spec.put("etcd", o));
        var template = podTemplate();
        if (!template.isEmpty()) {
            spec.put("podTemplate", template);
        }
        return spec;
    }

    /// A document cannot name an image with another name than ours for the version.
    private Optional<Map<String, Object>> image(EtcdVersion version) {
        return container().map(Foreign.Container::image).flatMap(image -> {
            int digest = image.indexOf('@');
            int tag = image.lastIndexOf(":v" + version);
            if (digest > 0) {
                String name = image.substring(0, digest);
                int named = name.lastIndexOf(':');
                String repository = named > name.lastIndexOf('/') ? name.substring(0, named) : name;
                return Optional.of(ordered("repository", repository, "digest", image.substring(digest + 1)));
            }
            return tag > 0 && image.endsWith(":v" + version)
                    ? Optional.of(ordered("repository", image.substring(0, tag)))
                    : Optional.empty();
        });
    }

    /// The labels stay, so that foreign Services find the pods as before.
    private Map<String, Object> podTemplate() {
        var template = new LinkedHashMap<String, Object>();
        var labels = new TreeMap<>(foreign.template().labels());
        labels.keySet().removeIf(key -> RESERVED.contains(key) || key.startsWith("etcdgitops.dev/"));
        if (!labels.isEmpty()) {
            template.put("metadata", ordered("labels", labels));
        }
        container()
                .map(Foreign.Container::resources)
                .filter(r -> !r.isEmpty())
                .ifPresent(r -> template.put("resources", r));
        SCHEDULING.forEach(field -> Optional.ofNullable(foreign.template().pod().get(field))
                .ifPresent(value -> template.put(field, value)));
        if (foreign.template().pod().get("securityContext") instanceof Map<?, ?> context) {
            var ids = new LinkedHashMap<String, Object>();
            IDS.forEach(id -> {
                if (context.get(id) instanceof Number number && number.longValue() > 0) {
                    ids.put(id, number);
                }
            });
            if (!ids.isEmpty()) {
                template.put("securityContext", ids);
            }
        }
        return template;
    }

    private Optional<Foreign.Container> container() {
        return foreign.template().containers().stream().findFirst();
    }

    private static Map<String, Object> ordered(Object... pairs) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
