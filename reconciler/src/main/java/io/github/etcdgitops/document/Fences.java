package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.kind.ApprovalReader;
import io.github.etcdgitops.document.kind.OutsideTenant;
import io.github.etcdgitops.document.kind.SharedRingChecks;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.SharedRing;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Checks every document against the limits of its location: the limits of the tenant whose path contains
/// it, or without tenants the safe defaults. A document about a foreign ring is ignored, so that it neither
/// blocks that ring nor says anything about it. One that asks too much for its own ring takes that ring out
/// of the run.
final class Fences {
    private final Fleet fleet;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Assessed> inside = new ArrayList<>();
    private final Set<ClusterRef> strays = new TreeSet<>();
    private final List<Location> unread = new ArrayList<>();
    private final Set<SharedRing> unclear = new LinkedHashSet<>();
    private final TenantPolicies policies;

    private Fences(Fleet fleet, List<Assessed> assessed) {
        this.fleet = fleet;
        this.policies = new TenantPolicies(fleet, assessed);
    }

    /// `inside` are the documents that are still read. `strays` are rings that only documents outside all
    /// limits may be about. `unread` are policies that were left out, and `unclear` what other documents that
    /// were left out may be about.
    record Held(
            List<Assessed> inside,
            List<Violation> violations,
            Set<ClusterRef> strays,
            List<Location> unread,
            Set<SharedRing> unclear) {}

    static Held hold(Fleet fleet, List<Assessed> assessed) {
        var fences = new Fences(fleet, assessed);
        assessed.forEach(fences::hold);
        return new Held(fences.inside, fences.violations, fences.strays, fences.unread, fences.unclear);
    }

    private void hold(Assessed document) {
        String file = document.file();
        if (fleet.tenants().isEmpty() || file.equals(Folder.FLEET_FILE)) {
            keep(document, Namespaces.ALL, SafeDefaults.trouble(document, Optional.of(fleet)));
            return;
        }
        var tenant = fleet.tenantOf(file);
        if (tenant.isPresent()) {
            hold(document, tenant.get());
        } else if (Folder.isRule(file) || ofRules(document)) {
            keep(document, Namespaces.ALL, SafeDefaults.trouble(document, Optional.of(fleet)));
        } else if (document.mayRestore()) {
            // Its author does not want that ring created empty.
            keep(document, Namespaces.ALL, List.of(nobodys(document)));
        } else {
            leaveOut(document, nobodys(document));
        }
    }

    private void hold(Assessed document, Tenant tenant) {
        var shared = shared(document);
        if (shared.isPresent()) {
            keep(document, tenant.scope().namespaces(), SharedRingChecks.trouble(document.document(), shared.get()));
            return;
        }
        var misnamed = policies.name(document, tenant);
        misnamed.ifPresent(v -> unread.add(v.at()));
        var elsewhere = misnamed.or(() -> outside(document, tenant));
        if (elsewhere.isPresent()) {
            unclear(document, tenant);
            leaveOut(document, elsewhere.get());
            return;
        }
        var trouble = new ArrayList<>(SafeDefaults.trouble(document, Optional.empty()));
        trouble.addAll(new TenantRing(document.document(), fleet, tenant).trouble(document.kind()));
        trouble.addAll(policies.trouble(document, tenant));
        keep(document, tenant.scope().namespaces(), trouble);
    }

    private Optional<SharedRing> shared(Assessed document) {
        return isOfAccounts(document)
                ? document.concerned().flatMap(ring -> fleet.sharedWith(document.file(), ring))
                : Optional.empty();
    }

    private static boolean isOfAccounts(Assessed document) {
        return document.is(DocumentKind.ETCD_USER) || document.is(DocumentKind.ETCD_ROLE);
    }

    /// A document that is left out and may be one of a user: a user that could not be read is not absent.
    private void unclear(Assessed document, Tenant tenant) {
        var ring = document.concerned();
        var namespace = document.document().text("spec", "cluster", "namespace");
        if (isOfAccounts(document) || document.kind().isEmpty()) {
            tenant.scope().sharedRings().stream()
                    .filter(shared -> ring.map(shared.ring()::equals)
                            .orElseGet(() -> namespace
                                    .filter(shared.ring().namespace()::equals)
                                    .isPresent()))
                    .forEach(unclear::add);
        }
    }

    private static boolean ofRules(Assessed document) {
        return document.is(DocumentKind.APPROVAL) && ApprovalReader.isOfRules(document.document());
    }

    /// One cause gives one violation: a document that is invalid at its location is not also reported as
    /// outside the limits there.
    private void keep(Assessed document, Namespaces within, List<Violation> trouble) {
        var told = trouble.stream().filter(v -> document.notWrongAt(v.at())).toList();
        violations.addAll(told);
        inside.add(document.inside(within, told));
    }

    /// The ring stays known where no other document describes it: it is not a ring without a document.
    private void leaveOut(Assessed document, Violation why) {
        violations.add(why);
        document.ring().ifPresent(strays::add);
    }

    private Optional<Violation> outside(Assessed document, Tenant tenant) {
        if (ofRules(document)) {
            return Optional.of(Violation.of(
                    "outside-tenant",
                    document.document().at(List.of("spec", "rules")),
                    "The approval rules belong to the owners: " + OutsideTenant.title(tenant.name())
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
                                + ", which is not a namespace of " + OutsideTenant.title(tenant.name()) + " ("
                                + tenant.scope().namespaces() + "). The document is not read.",
                        fleet.tenantOfNamespace(namespace.get())
                                .map(owner -> "The namespace is one of " + OutsideTenant.title(owner.name())
                                        + ": its documents are below "
                                        + String.join(", ", owner.scope().paths()) + "." + orShared(document))
                                .orElse("Name a namespace of the tenant, or have this one added to `namespaces` of"
                                        + " the tenant in "
                                        + Folder.FLEET_FILE + ".")));
            }
        }
        return Optional.empty();
    }

    private static String orShared(Assessed document) {
        return isOfAccounts(document)
                ? " Or have the ring added to `sharedRings` of the tenant in " + Folder.FLEET_FILE + "."
                : "";
    }

    private Violation nobodys(Assessed document) {
        var paths = fleet.tenants().stream()
                .flatMap(tenant -> tenant.scope().paths().stream())
                .filter(path -> path.startsWith(
                        Folder.of(document.file()).map(Folder::path).orElse("clusters/")))
                .toList();
        return Violation.of(
                "no-tenant",
                document.document().at(List.of()),
                "The file is below no path of a tenant in " + Folder.FLEET_FILE + ". The document is not read.",
                "Move it below one of: " + Suggestion.some(paths) + ".");
    }
}
