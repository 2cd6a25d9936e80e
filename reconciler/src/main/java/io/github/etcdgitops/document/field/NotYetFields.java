package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NotYet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Fields that are accepted although no operation carries them out yet. A value that matches the existing
/// behaviour (`plain`, `retain`, `off`) is not among them.
public final class NotYetFields {
    private NotYetFields() {}

    public static List<NotYet> of(YamlDocument document) {
        var notYet = new ArrayList<NotYet>();
        present(
                        document,
                        "restoreFrom",
                        "a restore needs a separate document of kind EtcdRestore. Without it the ring would start"
                                + " empty",
                        true)
                .ifPresent(notYet::add);
        document.text("spec", "deletion", "policy")
                .filter("snapshotThenDelete"::equals)
                .ifPresent(_ -> notYet.add(
                        new NotYet("/spec/deletion/policy", "nothing is deleted yet: data is retained", false)));
        return List.copyOf(notYet);
    }

    private static Optional<NotYet> present(YamlDocument document, String field, String what, boolean blocks) {
        return document.has("spec", field) ? Optional.of(new NotYet("/spec/" + field, what, blocks)) : Optional.empty();
    }
}
