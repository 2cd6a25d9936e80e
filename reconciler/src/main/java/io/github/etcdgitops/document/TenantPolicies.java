package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.ObjectUrl;
import io.github.etcdgitops.document.kind.DestinationReader;
import io.github.etcdgitops.document.kind.OutsideTenant;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks what a tenant's documents say about policies and backups against what the Fleet allows the
/// tenant.
final class TenantPolicies {
    private static final Set<DocumentKind> POLICIES =
            Set.of(DocumentKind.POLICY, DocumentKind.POLICY_EXEMPTION, DocumentKind.BACKUP_POLICY);

    private final Fleet fleet;
    private final Set<String> ofOwners;
    private final List<Violation> violations = new ArrayList<>();

    TenantPolicies(Fleet fleet, List<Assessed> assessed) {
        this.fleet = fleet;
        this.ofOwners = assessed.stream()
                .filter(a -> fleet.tenantOf(a.file()).isEmpty())
                .flatMap(a -> key(a).stream())
                .collect(Collectors.toSet());
    }

    private static Optional<String> key(Assessed policy) {
        return policy.kind()
                .filter(POLICIES::contains)
                .flatMap(kind -> policy.document().text("metadata", "name").map(name -> kind + " " + name));
    }

    List<Violation> trouble(Assessed assessed, Tenant tenant) {
        violations.clear();
        var document = assessed.document();
        assessed.kind().ifPresent(kind -> {
            switch (kind) {
                case BACKUP_POLICY -> backupPolicy(document, tenant);
                case POLICY -> selector(document, tenant, "clusters");
                case POLICY_EXEMPTION -> exemption(document, tenant);
                case ETCD_CLUSTER -> policy(document, tenant, List.of("spec", "backup", "policy"));
                case ETCD_BACKUP, TOMBSTONE -> policy(document, tenant, List.of("spec", "policy"));
                case ETCD_RESTORE -> restore(document, tenant);
                case FLEET, APPROVAL, VOLUME_RESET, MEMBER_REPLACEMENT, ETCD_USER, ETCD_ROLE, CATALOG, POLICY_TEST -> {
                    // They name no policy.
                }
            }
        });
        return List.copyOf(violations);
    }

    /// Names of policies are unique in the whole repository: no tenant can take one from another.
    Optional<Violation> name(Assessed assessed, Tenant tenant) {
        var document = assessed.document();
        String name = document.text("metadata", "name").orElse("");
        boolean taken = key(assessed).filter(ofOwners::contains).isPresent();
        return key(assessed)
                .filter(_ -> taken || !isNameOf(tenant, name))
                .map(_ -> OutsideTenant.violation(
                        document,
                        List.of("metadata", "name"),
                        tenant.name(),
                        "name",
                        "`metadata.name` is " + Shown.quoted(name)
                                + (taken ? ", the name of a policy of the owners" : ""),
                        List.of("names that begin with " + tenant.name() + "-")));
    }

    private boolean isNameOf(Tenant tenant, String policy) {
        return fleet.tenants().stream()
                .filter(t -> policy.startsWith(t.name() + "-"))
                .max(Comparator.comparingInt(t -> t.name().length()))
                .filter(tenant::equals)
                .isPresent();
    }

    private void selector(YamlDocument document, Tenant tenant, String field) {
        int index = 0;
        for (String namespace : document.texts("spec", field, "namespaces")) {
            var place = List.of("spec", field, "namespaces", Integer.toString(index++));
            namespace(document, tenant, place, namespace);
        }
    }

    private void namespace(YamlDocument document, Tenant tenant, List<String> place, String namespace) {
        if (!tenant.ownsNamespace(namespace)) {
            refuse(
                    document,
                    place,
                    tenant,
                    "namespaces",
                    "`" + Shown.path(place) + "` is " + Shown.quoted(namespace),
                    List.of(tenant.scope().namespaces().toString()));
        }
    }

    private void backupPolicy(YamlDocument document, Tenant tenant) {
        selector(document, tenant, "clusters");
        var drill = List.of("spec", "drill", "namespace");
        document.text(drill.toArray(String[]::new))
                .ifPresent(namespace -> namespace(document, tenant, drill, namespace));
        address(document)
                .filter(address -> !isBelow(tenant, address))
                .ifPresent(address -> refuse(
                        document,
                        List.of("spec", "destination"),
                        tenant,
                        "backups.destinations",
                        "`spec.destination` is " + Shown.plain(address),
                        tenant.backups().destinations()));
    }

    private static Optional<String> address(YamlDocument document) {
        boolean readable = Stream.of(List.of("s3", "bucket"), List.of("gcs", "bucket"), List.of("directory", "path"))
                .anyMatch(field -> document.text("spec", "destination", field.get(0), field.get(1))
                        .isPresent());
        return readable ? Optional.of(DestinationReader.read(document).title()) : Optional.empty();
    }

    /// Destinations end in a slash, so that a folder never matches the start of another one's name.
    private static boolean isBelow(Tenant tenant, String address) {
        boolean plain = Stream.of(address.split("/")).noneMatch(part -> part.equals("..") || part.equals("."));
        return plain && tenant.backups().destinations().stream().anyMatch(address::startsWith);
    }

    /// A tenant cannot exempt rings from the owners' rules.
    private void exemption(YamlDocument document, Tenant tenant) {
        selector(document, tenant, "clusters");
        for (int i = 0; i < document.items("spec", "rings").size(); i++) {
            var place = List.of("spec", "rings", Integer.toString(i), "namespace");
            document.text(place.toArray(String[]::new))
                    .ifPresent(namespace -> namespace(document, tenant, place, namespace));
        }
        var policies = document.texts("spec", "policies");
        if (policies.isEmpty()) {
            refuse(
                    document,
                    List.of("spec"),
                    tenant,
                    "name",
                    "`spec.policies` is missing, so the exemption also applies to policies of the owners",
                    List.of("policies that begin with " + tenant.name() + "-"));
        }
        int index = 0;
        for (String policy : policies) {
            var place = List.of("spec", "policies", Integer.toString(index++));
            if (!isNameOf(tenant, policy) || ofOwners.contains(DocumentKind.POLICY + " " + policy)) {
                refuse(
                        document,
                        place,
                        tenant,
                        "name",
                        "`" + Shown.path(place) + "` is " + Shown.quoted(policy),
                        List.of("policies that begin with " + tenant.name() + "-"));
            }
        }
    }

    /// A BackupPolicy that a document names: the tenant's own, or one that it may use.
    private void policy(YamlDocument document, Tenant tenant, List<String> place) {
        document.text(place.toArray(String[]::new)).ifPresent(name -> {
            boolean own = isNameOf(tenant, name) && !ofOwners.contains(DocumentKind.BACKUP_POLICY + " " + name);
            if (!own && !tenant.backups().policies().contains(name)) {
                refuse(
                        document,
                        place,
                        tenant,
                        "backups.policies",
                        "`" + Shown.path(place) + "` is " + Shown.quoted(name),
                        tenant.backups().policies());
            }
        });
    }

    private void restore(YamlDocument document, Tenant tenant) {
        policy(document, tenant, List.of("spec", "from", "policy"));
        var source = List.of("spec", "from", "cluster", "namespace");
        document.text(source.toArray(String[]::new))
                .filter(namespace -> !tenant.ownsNamespace(namespace))
                .filter(namespace -> fleet.tenantOfNamespace(namespace)
                        .map(Tenant::name)
                        .filter(tenant.backups().restoreFrom()::contains)
                        .isEmpty())
                .ifPresent(namespace -> refuse(
                        document,
                        source,
                        tenant,
                        "backups.restoreFrom",
                        "`" + Shown.path(source) + "` is " + Shown.quoted(namespace)
                                + ": a backup of another tenant's ring",
                        tenant.backups().restoreFrom()));
        environment(document, tenant);
        var url = List.of("spec", "from", "url");
        document.text(url.toArray(String[]::new))
                .flatMap(ObjectUrl::parse)
                .map(TenantPolicies::address)
                .filter(address -> !isBelow(tenant, address))
                .ifPresent(address -> refuse(
                        document,
                        url,
                        tenant,
                        "backups.destinations",
                        "`spec.from.url` is " + Shown.plain(address),
                        tenant.backups().destinations()));
    }

    private void environment(YamlDocument document, Tenant tenant) {
        var place = List.of("spec", "from", "environment");
        var allowed = tenant.scope().environments();
        document.text(place.toArray(String[]::new))
                .filter(name -> allowed.filter(names -> !names.contains(name)).isPresent())
                .ifPresent(name -> refuse(
                        document,
                        place,
                        tenant,
                        "environments",
                        "`spec.from.environment` is " + Shown.quoted(name),
                        allowed.orElse(List.of())));
    }

    private static String address(ObjectUrl url) {
        return url.scheme().title() + "://" + url.place() + "/" + url.key();
    }

    private void refuse(
            YamlDocument document, List<String> place, Tenant tenant, String fence, String what, List<String> allowed) {
        violations.add(OutsideTenant.violation(document, place, tenant.name(), fence, what, allowed));
    }
}
