package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.Glob;
import io.github.etcdgitops.spec.value.ImageRepositories;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What no document may ask for, whoever owns it: a namespace of Kubernetes itself, a priority above all
/// other pods, and without tenants an image from a repository that is not listed.
final class SafeDefaults {
    /// kube-system, kube-public, kube-node-lease, and similar ones.
    private static final Glob SYSTEM_NAMESPACES = new Glob("kube-*");

    private static final Glob SYSTEM_PRIORITIES = new Glob("system-*");

    private static final List<String> IMAGE = List.of("spec", "image", "repository");

    private final YamlDocument document;
    private final List<Violation> violations = new ArrayList<>();

    private SafeDefaults(YamlDocument document) {
        this.document = document;
    }

    /// Without a Fleet, images are not checked.
    static List<Violation> trouble(Assessed assessed, Optional<Fleet> fleet) {
        var defaults = new SafeDefaults(assessed.document());
        if (assessed.is(DocumentKind.ETCD_CLUSTER)) {
            defaults.namespace(List.of("metadata", "namespace"));
            defaults.priority();
            fleet.filter(_ -> defaults.document.has(IMAGE.toArray(String[]::new)))
                    .ifPresent(f -> defaults.image(
                            ImageRepositories.beside(f.sharing().images()),
                            "`spec.images.repositories` of " + Folder.FLEET_FILE));
        } else if (assessed.is(DocumentKind.BACKUP_POLICY)) {
            defaults.namespace(List.of("spec", "drill", "namespace"));
        }
        return defaults.violations;
    }

    /// Checks the image of a ring against a list that the owners have written at `where`.
    static List<Violation> image(YamlDocument document, ImageRepositories allowed, String where) {
        var defaults = new SafeDefaults(document);
        defaults.image(allowed, where);
        return defaults.violations;
    }

    private void namespace(List<String> place) {
        document.text(place.toArray(String[]::new))
                .filter(SYSTEM_NAMESPACES::matches)
                .ifPresent(namespace -> violations.add(Violation.of(
                        "forbidden-namespace",
                        document.at(place),
                        "`" + Shown.path(place) + "` is " + Shown.quoted(namespace) + "; rings are not allowed in "
                                + SYSTEM_NAMESPACES + ".",
                        "Choose another namespace.")));
    }

    private void priority() {
        var place = List.of("spec", "podTemplate", "priorityClassName");
        document.text(place.toArray(String[]::new))
                .filter(SYSTEM_PRIORITIES::matches)
                .ifPresent(name -> violations.add(Violation.of(
                        "forbidden-priority",
                        document.at(place),
                        "`" + Shown.path(place) + "` is " + Shown.quoted(name) + "; classes " + SYSTEM_PRIORITIES
                                + " are for Kubernetes itself.",
                        "Choose another PriorityClass, or leave the field out.")));
    }

    private void image(ImageRepositories allowed, String where) {
        document.text(IMAGE.toArray(String[]::new))
                .filter(repository -> !allowed.contain(repository))
                .ifPresent(repository -> violations.add(Violation.of(
                        "foreign-image",
                        document.at(IMAGE),
                        "`" + Shown.path(IMAGE) + "` is " + Shown.quoted(repository)
                                + ", which is not among the repositories that are allowed: " + allowed + ".",
                        "Choose one of these, or have the repository added to " + where + ".")));
    }
}
