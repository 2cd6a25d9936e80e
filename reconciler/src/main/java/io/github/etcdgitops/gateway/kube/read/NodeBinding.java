package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// To which machines a PersistentVolume is tied: by a label that one machine alone has, and its value. A volume
/// that is tied to a zone, or to nothing, is not lost with any machine.
record NodeBinding(String label, String value) {
    private static final String NAME = "metadata.name";

    /// Labels that drivers of local volumes give each machine a value of its own of.
    private static final List<String> OF_ONE_MACHINE = List.of(
            "kubernetes.io/hostname", "topology.hostpath.csi/node", "topology.topolvm.io/node", "openebs.io/nodename");

    /// None unless each way in which the volume can be reached names machines.
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

    /// All requirements of a term hold together: one that names machines says enough.
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

    /// Whether machines are found by it as by a label.
    boolean isLabel() {
        return !label.equals(NAME);
    }
}
