package io.github.etcdgitops.document;

import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Optional;

/// The environment of a ring. Two Kubernetes clusters that watch one repository must never both own a ring.
/// So in a Fleet with environments every ring needs one.
record EnvironmentCheck(Fleet fleet, YamlDocument document) {
    private static final List<String> FIELD = List.of("spec", "environment");

    Optional<String> name() {
        return document.text("spec", "environment").or(() -> fleet.environmentOfPath(document.file()));
    }

    List<Violation> violations() {
        if (fleet.environments().isEmpty()) {
            return List.of();
        }
        var known = fleet.environments().stream().map(Fleet.Environment::name).toList();
        var name = name();
        if (name.isEmpty()) {
            return List.of(Violation.of(
                    "no-environment",
                    document.atKey(List.of("spec")),
                    "The ring belongs to no environment: `spec.environment` is not set, and no environment of the"
                            + " Fleet has a path that " + document.file() + " is below.",
                    "Set `spec.environment` to one of: " + String.join(", ", known) + "."));
        }
        if (!known.contains(name.get())) {
            return List.of(Violation.of(
                    "unknown-environment",
                    document.at(FIELD),
                    "`spec.environment` is " + Shown.quoted(name.get()) + ", which the Fleet does not know.",
                    Suggestion.nearest(name.get(), known)
                            .map(n -> "Did you mean `" + n + "`?")
                            .orElse("Environments of the Fleet: " + String.join(", ", known) + ".")));
        }
        return List.of();
    }
}
