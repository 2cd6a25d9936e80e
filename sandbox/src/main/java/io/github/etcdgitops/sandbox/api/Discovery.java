package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What is served, as clients look it up.
final class Discovery {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> PART_VERBS = List.of("get", "patch", "update");

    private Discovery() {}

    static Optional<ObjectNode> document(String path) {
        return switch (path) {
            case "/version" -> Optional.of(version());
            case "/api" -> Optional.of(versions());
            case "/apis" -> Optional.of(groups());
            default -> path.startsWith("/apis/") ? group(path.substring(6)) : core(path);
        };
    }

    private static ObjectNode version() {
        return Call.JSON
                .createObjectNode()
                .put("major", "1")
                .put("minor", "21")
                .put("gitVersion", "v1.21.0+sandbox")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "2021-04-08T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "")
                .put("platform", "linux/amd64");
    }

    private static ObjectNode versions() {
        ObjectNode versions = Call.JSON.createObjectNode().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    /// Versions by group, in the order in which they are preferred.
    private static Map<String, Set<String>> served() {
        var served = new LinkedHashMap<String, Set<String>>();
        for (Resource resource : Resource.values()) {
            if (!resource.group().isEmpty()) {
                served.computeIfAbsent(resource.group(), _ -> new LinkedHashSet<>())
                        .addAll(resource.versions());
            }
        }
        return served;
    }

    private static ObjectNode groups() {
        ObjectNode list =
                Call.JSON.createObjectNode().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        served().forEach((name, versions) -> groups.add(group(name, versions)));
        return list;
    }

    private static ObjectNode group(String name, Set<String> versions) {
        ObjectNode group = Call.JSON.createObjectNode().put("name", name);
        ArrayNode list = group.putArray("versions");
        for (String version : versions) {
            ObjectNode one = list.addObject()
                    .put("groupVersion", version)
                    .put("version", version.substring(version.indexOf('/') + 1));
            if (!group.has("preferredVersion")) {
                group.set("preferredVersion", one);
            }
        }
        return group;
    }

    private static Optional<ObjectNode> group(String name) {
        Set<String> versions = served().get(name);
        if (versions != null) {
            return Optional.of(group(name, versions).put("kind", "APIGroup").put("apiVersion", "v1"));
        }
        return resources(name);
    }

    private static Optional<ObjectNode> core(String path) {
        return path.equals("/api/v1") ? resources("v1") : Optional.empty();
    }

    private static Optional<ObjectNode> resources(String groupVersion) {
        ObjectNode list = Call.JSON
                .createObjectNode()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", groupVersion);
        ArrayNode resources = list.putArray("resources");
        for (Resource resource : Resource.values()) {
            if (resource.versions().contains(groupVersion)) {
                describe(resources, resource);
            }
        }
        return resources.isEmpty() ? Optional.empty() : Optional.of(list);
    }

    private static void describe(ArrayNode resources, Resource resource) {
        ObjectNode described = entry(resources, resource, "", resource.kind(), VERBS);
        shortName(resource).ifPresent(name -> described.putArray("shortNames").add(name));
        if (Set.of(Resource.POD, Resource.SERVICE, Resource.STATEFUL_SET, Resource.JOB)
                .contains(resource)) {
            described.putArray("categories").add("all");
        }
        if (resource.hasStatus()) {
            entry(resources, resource, "/status", resource.kind(), PART_VERBS);
        }
        switch (resource) {
            case POD -> {
                entry(resources, resource, "/log", "Pod", List.of("get"));
                entry(resources, resource, "/portforward", "PodPortForwardOptions", List.of("create", "get"));
                entry(resources, resource, "/eviction", "Eviction", List.of("create"))
                        .put("group", "policy")
                        .put("version", "v1");
            }
            case STATEFUL_SET ->
                entry(resources, resource, "/scale", "Scale", PART_VERBS)
                        .put("group", "autoscaling")
                        .put("version", "v1");
            default -> {}
        }
    }

    private static ObjectNode entry(
            ArrayNode resources, Resource resource, String part, String kind, List<String> verbs) {
        ObjectNode entry = resources
                .addObject()
                .put("name", resource.plural() + part)
                .put("singularName", part.isEmpty() ? resource.kind().toLowerCase(Locale.ROOT) : "")
                .put("namespaced", resource.namespaced())
                .put("kind", kind);
        ArrayNode list = entry.putArray("verbs");
        verbs.forEach(list::add);
        return entry;
    }

    private static Optional<String> shortName(Resource resource) {
        return switch (resource) {
            case NAMESPACE -> Optional.of("ns");
            case NODE -> Optional.of("no");
            case PERSISTENT_VOLUME -> Optional.of("pv");
            case STORAGE_CLASS -> Optional.of("sc");
            case POD -> Optional.of("po");
            case SERVICE -> Optional.of("svc");
            case ENDPOINTS -> Optional.of("ep");
            case CONFIG_MAP -> Optional.of("cm");
            case EVENT -> Optional.of("ev");
            case PERSISTENT_VOLUME_CLAIM -> Optional.of("pvc");
            case STATEFUL_SET -> Optional.of("sts");
            case POD_DISRUPTION_BUDGET -> Optional.of("pdb");
            case NETWORK_POLICY -> Optional.of("netpol");
            case SECRET, CONTROLLER_REVISION, JOB, LEASE -> Optional.empty();
        };
    }
}
