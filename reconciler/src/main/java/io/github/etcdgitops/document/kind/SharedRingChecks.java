package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.SharedRing;
import io.github.etcdgitops.spec.value.Glob;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Checks a tenant's EtcdUser or EtcdRole of a ring of somebody else against what the Fleet allows the tenant there.
/// Which roles its user has is checked beside all documents of the ring.
public final class SharedRingChecks {
    private final YamlDocument document;
    private final SharedRing shared;
    private final List<Violation> violations = new ArrayList<>();

    private SharedRingChecks(YamlDocument document, SharedRing shared) {
        this.document = document;
        this.shared = shared;
    }

    public static List<Violation> trouble(YamlDocument document, SharedRing shared) {
        var checks = new SharedRingChecks(document, shared);
        checks.name();
        checks.secret();
        AuthReader.grantPlaces(document).forEach(checks::grant);
        return checks.violations;
    }

    private void name() {
        var place = AuthReader.place(document, AuthReader.SPEC);
        AuthReader.nameAt(document, AuthReader.SPEC)
                .filter(name -> !shared.isNamed(name))
                .ifPresent(name -> refuse(
                        place,
                        "names",
                        "`" + Shown.path(place) + "` is " + Shown.quoted(name),
                        shared.names().stream().map(Glob::text).toList()));
    }

    /// It is one of the ring's namespace, which is not the tenant's.
    private void secret() {
        var place = List.of("spec", "password", "secretKeyRef");
        if (document.has(place.toArray(String[]::new))) {
            violations.add(Violation.of(
                    "outside-tenant",
                    document.at(place),
                    "`" + Shown.path(place) + "` names a Secret in the namespace "
                            + shared.ring().namespace() + ", which is not one of "
                            + OutsideTenant.title(shared.tenant()) + ".",
                    "Write `generate: true`, or `certificate: true` in place of the password."));
        }
    }

    private void grant(List<String> place) {
        AuthReader.keys(document, place)
                .filter(keys -> !shared.covers(keys))
                .ifPresent(keys -> refuse(
                        place, "prefixes", "`" + Shown.path(place) + "` grants " + keys.describe(), shared.prefixes()));
    }

    private void refuse(List<String> place, String field, String what, Collection<String> allowed) {
        violations.add(
                OutsideTenant.violation(document, place, shared.tenant(), "sharedRings." + field, what, allowed));
    }
}
