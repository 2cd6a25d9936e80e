package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.kind.ApprovalReader;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Holds every document against what its place lets it ask for: the fence of the tenant below whose path it stands, or
/// without tenants the safe defaults. A document that is about a ring of somebody else is left out, so that it neither
/// stops that ring nor says anything of it; one that asks too much for a ring of its own takes that ring out.
final class Fences {
    private final Fleet fleet;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Assessed> inside = new ArrayList<>();
    private final Set<ClusterRef> strays = new TreeSet<>();
    private final List<Location> unread = new ArrayList<>();
    private final TenantPolicies policies;

    private Fences(Fleet fleet, List<Assessed> assessed) {
        this.fleet = fleet;
        this.policies = new TenantPolicies(fleet, assessed);
    }

    /// `inside` is what is read on, in the order of before. `strays` are rings that only documents outside of every
    /// fence may be about. `unread` are policies that were left out.
    record Held(List<Assessed> inside, List<Violation> violations, Set<ClusterRef> strays, List<Location> unread) {}

    static Held hold(Fleet fleet, List<Assessed> assessed) {
        var fences = new Fences(fleet, assessed);
        assessed.forEach(fences::hold);
        return new Held(fences.inside, fences.violations, fences.strays, fences.unread);
    }

    private void hold(Assessed document) {
        String file = document.document().file();
        if (fleet.tenants().isEmpty() || file.equals(Folder.FLEET_FILE)) {
            keep(document, Namespaces.ALL, SafeDefaults.trouble(document, Optional.of(fleet)));
            return;
        }
        var tenant = fleet.tenantOf(file);
        if (tenant.isPresent()) {
            hold(document, tenant.get());
        } else if (Folder.POLICIES.holds(file) || ofRules(document)) {
            keep(document, Namespaces.ALL, SafeDefaults.trouble(document, Optional.of(fleet)));
        } else if (document.mayRestore()) {
            // Whoever wrote it does not want that ring founded empty.
            keep(document, Namespaces.ALL, List.of(nobodys(document)));
        } else {
            leaveOut(document, nobodys(document));
        }
    }

    private void hold(Assessed document, Tenant tenant) {
        var misnamed = policies.name(document, tenant);
        misnamed.ifPresent(v -> unread.add(v.at()));
        var elsewhere = misnamed.or(() -> outside(document, tenant));
        if (elsewhere.isPresent()) {
            leaveOut(document, elsewhere.get());
            return;
        }
        var trouble = new ArrayList<>(SafeDefaults.trouble(document, Optional.empty()));
        trouble.addAll(new TenantRing(document.document(), fleet, tenant).trouble(document.kind()));
        trouble.addAll(policies.trouble(document, tenant));
        keep(document, tenant.scope().namespaces(), trouble);
    }

    private static boolean ofRules(Assessed document) {
        return document.is(DocumentKind.APPROVAL) && ApprovalReader.isOfRules(document.document());
    }

    /// One cause, one violation: what is wrong at its place already is not also outside of the fence there.
    private void keep(Assessed document, Namespaces within, List<Violation> trouble) {
        var told = trouble.stream().filter(v -> document.notWrongAt(v.at())).toList();
        violations.addAll(told);
        inside.add(document.inside(within, told));
    }

    /// The ring stays known where nobody else describes it: it is no ring without a document.
    private void leaveOut(Assessed document, Violation why) {
        violations.add(why);
        document.ring().ifPresent(strays::add);
    }

    private Optional<Violation> outside(Assessed document, Tenant tenant) {
        if (ofRules(document)) {
            return Optional.of(Violation.of(
                    "outside-tenant",
                    document.document().at(List.of("spec", "rules")),
                    "The approval rules belong to the owners: " + TenantRing.title(tenant)
                            + " cannot approve a change of them. The" + " document is not read.",
                    "Move it to a path that belongs to no tenant, in " + Folder.APPROVALS.path() + "."));
        }
        for (var place : List.of(List.of("metadata", "namespace"), List.of("spec", "cluster", "namespace"))) {
            var namespace = document.document().text(place.toArray(String[]::new));
            boolean meant = place.getFirst().equals("spec") || document.ring().isPresent();
            if (meant && namespace.filter(n -> !tenant.ownsNamespace(n)).isPresent()) {
                return Optional.of(Violation.of(
                        "outside-tenant",
                        document.document().at(place),
                        "`" + Shown.path(place) + "` is " + Shown.quoted(namespace.get())
                                + ", which is not a namespace of " + TenantRing.title(tenant) + " ("
                                + tenant.scope().namespaces() + "). The document is not read.",
                        fleet.tenantOfNamespace(namespace.get())
                                .map(owner -> "The namespace is one of " + TenantRing.title(owner)
                                        + ": its documents are below "
                                        + String.join(", ", owner.scope().paths()) + ".")
                                .orElse("Name a namespace of the tenant, or have this one added to `namespaces` of"
                                        + " the tenant in "
                                        + Folder.FLEET_FILE + ".")));
            }
        }
        return Optional.empty();
    }

    private Violation nobodys(Assessed document) {
        var paths = fleet.tenants().stream()
                .flatMap(tenant -> tenant.scope().paths().stream())
                .filter(path -> path.startsWith(
                        Folder.of(document.document().file()).map(Folder::path).orElse("clusters/")))
                .toList();
        return Violation.of(
                "no-tenant",
                document.document().at(List.of()),
                "The file is below no path of a tenant in " + Folder.FLEET_FILE + ". The document is not read.",
                "Move it below one of: " + Suggestion.some(paths) + ".");
    }
}
