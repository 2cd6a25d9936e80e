package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The nodes that a PersistentVolume is bound to: a label that only one node has, and its value. A volume
/// that is bound to a zone, or to nothing, is not lost with a node.
record NodeBinding(String label, String value) {
    private static final String NAME = "metadata.name";

    /// Labels of local-volume drivers whose value is unique for each node.
    private static final List<String> OF_ONE_MACHINE = List.of(
            "kubernetes.io/hostname", "topology.hostpath.csi/node", "topology.topolvm.io/node", "openebs.io/nodename");

    /// Empty unless every term of the volume's node affinity names nodes.
    static Set<NodeBinding> of(JsonNode volume) {
        var all = new LinkedHashSet<NodeBinding>();
        for (JsonNode term :
                volume.path("spec").path("nodeAffinity").path("required").path("nodeSelectorTerms")) {
            var machines = of(term, all);
            if (machines.isEmpty()) {
                return Set.of();
            }
        }
        return all;
    }

    private static Optional<NodeBinding> of(JsonNode term, Set<NodeBinding> all) {
        Optional<NodeBinding> any = named(term.path("matchFields"), List.of(NAME), all);
        return any.isPresent() ? any : named(term.path("matchExpressions"), OF_ONE_MACHINE, all);
    }

    /// All requirements of a term apply together: one that names nodes is enough.
    private static Optional<NodeBinding> named(JsonNode requirements, List<String> labels, Set<NodeBinding> all) {
        for (JsonNode requirement : requirements) {
            String label = requirement.path("key").asText();
            if (labels.contains(label) && requirement.path("operator").asText().equals("In")) {
                Optional<NodeBinding> last = Optional.empty();
                for (JsonNode value : requirement.path("values")) {
                    last = Optional.of(new NodeBinding(label, value.asText()));
                    last.ifPresent(all::add);
                }
                return last;
            }
        }
        return Optional.empty();
    }

    /// Whether nodes are found by it as a label.
    boolean isLabel() {
        return !label.equals(NAME);
    }
}
