package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.journal.JournalFile;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.Observed;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The name of a ring's claim template, which differs in an adopted ring.
final class ClaimTemplates {
    private ClaimTemplates() {}

    /// From the StatefulSet, or from the journal where the StatefulSet is gone. An unreadable object gives
    /// no name: then the ring is Unknown anyway.
    static String nameOf(Function<Part, @Nullable Observed<Optional<ObjectNode>>> parts) {
        return object(parts, Part.STATEFUL_SET)
                .flatMap(ClaimTemplates::ofSet)
                .or(() -> object(parts, Part.JOURNAL).flatMap(ClaimTemplates::ofJournal))
                .orElse(ClusterRef.CLAIMS);
    }

    private static Optional<ObjectNode> object(
            Function<Part, @Nullable Observed<Optional<ObjectNode>>> parts, Part part) {
        return Optional.ofNullable(parts.apply(part)).flatMap(Observed::found);
    }

    private static Optional<String> ofSet(ObjectNode set) {
        var templates = set.path("spec").path("volumeClaimTemplates");
        return Optional.of(Tree.name(templates.path(0))).filter(name -> templates.size() == 1 && !name.isEmpty());
    }

    private static Optional<String> ofJournal(ObjectNode object) {
        try {
            return JournalFile.read(object.path("data").path(JournalFile.KEY).asText())
                    .past()
                    .adopted()
                    .map(Journal.Adopted::claims);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
