package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.kind.OutsideTenant;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.spec.value.ImageRepositories;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Checks a tenant's EtcdCluster against what the Fleet allows the tenant.
final class TenantRing {
    private static final String POD = "podTemplate";
    private static final Set<String> AFFINITY_TO_OTHERS = Set.of("namespaces", "namespaceSelector");

    private final YamlDocument document;
    private final Fleet fleet;
    private final Tenant tenant;
    private final List<Violation> violations = new ArrayList<>();

    TenantRing(YamlDocument document, Fleet fleet, Tenant tenant) {
        this.document = document;
        this.fleet = fleet;
        this.tenant = tenant;
    }

    List<Violation> trouble(Optional<DocumentKind> kind) {
        if (kind.filter(k -> k == DocumentKind.ETCD_CLUSTER).isEmpty()) {
            return List.of();
        }
        environment();
        violations.addAll(SafeDefaults.image(
                document,
                tenant.pods()
                        .images()
                        .map(ImageRepositories::new)
                        .orElseGet(
                                () -> ImageRepositories.beside(fleet.sharing().images())),
                "`images.repositories` of " + OutsideTenant.title(tenant.name()) + " in " + Folder.FLEET_FILE));
        storageClass();
        listed(
                List.of("spec", POD, "priorityClassName"),
                "priorityClasses",
                tenant.pods().priorityClasses());
        listed(List.of("spec", POD, "schedulerName"), "schedulers", List.of("default-scheduler"));
        nodeSelector();
        tolerations();
        document.find("spec", POD, "affinity").ifPresent(node -> affinity(node, List.of("spec", POD, "affinity")));
        metadata("labels");
        metadata("annotations");
        issuer();
        return violations;
    }

    private void environment() {
        var name = new EnvironmentCheck(fleet, document).name();
        tenant.scope().environments().ifPresent(allowed -> {
            if (name.isPresent() && !allowed.contains(name.get())) {
                refuse(
                        document.has("spec", "environment") ? List.of("spec", "environment") : List.of("spec"),
                        "environments",
                        "The ring belongs to the environment " + Shown.quoted(name.get()),
                        allowed);
            }
        });
    }

    private void storageClass() {
        var place = List.of("spec", "storage", "storageClassName");
        tenant.pods().storageClasses().ifPresent(allowed -> {
            if (!document.has(place.toArray(String[]::new))) {
                refuse(List.of("spec"), "storageClasses", "`spec.storage.storageClassName` is missing", allowed);
            }
            listed(place, "storageClasses", allowed);
        });
    }

    private void listed(List<String> place, String fence, Collection<String> allowed) {
        document.text(place.toArray(String[]::new))
                .filter(value -> !allowed.contains(value))
                .ifPresent(value ->
                        refuse(place, fence, "`" + Shown.path(place) + "` is " + Shown.quoted(value), allowed));
    }

    private void nodeSelector() {
        var place = List.of("spec", POD, "nodeSelector");
        tenant.pods().nodeSelector().forEach((key, value) -> {
            var found =
                    document.text(Stream.concat(place.stream(), Stream.of(key)).toArray(String[]::new));
            if (found.filter(value::equals).isEmpty()) {
                refuse(
                        document.has("spec", POD, "nodeSelector") ? place : List.of("spec"),
                        "nodes.selector",
                        "`spec.podTemplate.nodeSelector` has no " + key + "=" + value,
                        List.of(key + "=" + value));
            }
        });
    }

    /// Without a key, all taints are tolerated, also those of the control plane.
    private void tolerations() {
        for (int i = 0; i < document.items("spec", POD, "tolerations").size(); i++) {
            var place = List.of("spec", POD, "tolerations", Integer.toString(i));
            var key = document.text("spec", POD, "tolerations", Integer.toString(i), "key")
                    .filter(k -> !k.isEmpty());
            if (key.filter(tenant.pods().tolerations()::contains).isEmpty()) {
                refuse(
                        place,
                        "nodes.tolerations",
                        "`" + Shown.path(place) + "` tolerates "
                                + key.map(k -> "the taint " + Shown.quoted(k)).orElse("every taint"),
                        tenant.pods().tolerations());
            }
        }
    }

    /// Anti-affinity to pods of another namespace also keeps those pods off the nodes.
    private void affinity(YamlNode node, List<String> place) {
        switch (node) {
            case YamlNode.Mapping(int _, int _, var fields) ->
                fields.forEach((key, field) -> {
                    var below = below(place, key);
                    if (AFFINITY_TO_OTHERS.contains(key) && !ownNamespaces(field.value())) {
                        refuse(
                                below,
                                "namespaces",
                                "`" + Shown.path(below) + "` selects pods of other namespaces",
                                List.of(tenant.scope().namespaces().toString()));
                    } else {
                        affinity(field.value(), below);
                    }
                });
            case YamlNode.Sequence(int _, int _, var items) -> {
                for (int i = 0; i < items.size(); i++) {
                    affinity(items.get(i), below(place, Integer.toString(i)));
                }
            }
            case YamlNode.Scalar _ -> {
                // Names nothing.
            }
        }
    }

    /// A list of names; a selector may match any namespace.
    private boolean ownNamespaces(YamlNode node) {
        return switch (node) {
            case YamlNode.Sequence(int _, int _, var items) ->
                items.stream()
                        .allMatch(
                                item -> item instanceof YamlNode.Scalar scalar && tenant.ownsNamespace(scalar.text()));
            case YamlNode.Scalar scalar -> scalar.isNothing();
            case YamlNode.Mapping _ -> false;
        };
    }

    private static List<String> below(List<String> place, String field) {
        return Stream.concat(place.stream(), Stream.of(field)).toList();
    }

    /// Admission controllers, service meshes and cloud providers react to such keys.
    private void metadata(String map) {
        var place = List.of("spec", POD, "metadata", map);
        for (String key : document.keys(place.toArray(String[]::new))) {
            int slash = key.indexOf('/');
            if (slash >= 0 && !tenant.pods().metadata().contains(key.substring(0, slash + 1))) {
                refuse(
                        below(place, key),
                        "podMetadata",
                        "`spec.podTemplate.metadata." + map + "` has the key " + Shown.quoted(key),
                        tenant.pods().metadata());
            }
        }
    }

    private void issuer() {
        var kind = document.text("spec", "tls", "issuer", "kind").orElse("");
        var name = document.text("spec", "tls", "issuer", "name").orElse("");
        boolean certManager = kind.equals("Issuer") || kind.equals("ClusterIssuer");
        boolean allowed = tenant.issuers()
                .map(issuers -> issuers.contains(new Tls.IssuerRef(kind, name)))
                .orElse(kind.equals("Issuer"));
        if (certManager && !allowed) {
            refuse(
                    List.of("spec", "tls", "issuer"),
                    "issuers",
                    "`spec.tls.issuer` is the " + kind + " " + Shown.quoted(name),
                    tenant.issuers().orElse(List.of()).stream()
                            .map(issuer -> issuer.kind() + "/" + issuer.name())
                            .toList());
        }
    }

    private void refuse(List<String> place, String fence, String what, Collection<String> allowed) {
        violations.add(OutsideTenant.violation(document, place, tenant.name(), fence, what, allowed));
    }
}
