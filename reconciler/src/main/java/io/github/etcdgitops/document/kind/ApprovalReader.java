package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Rfc3339;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.RulesApproval;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Reads and checks a document of kind Approval. The policies check its expiry: there is no clock here.
public final class ApprovalReader {
    private static final List<String> OF_OPERATIONS = List.of("cluster", "clusterId", "operations");

    private ApprovalReader() {}

    static void check(YamlDocument document, Findings findings) {
        Rfc3339.check(document, findings, "spec", "expires");
        for (String field : OF_OPERATIONS) {
            var path = List.of("spec", field);
            boolean there = document.has("spec", field);
            if (isOfRules(document) && there) {
                findings.at(
                        path,
                        "not-both",
                        "`spec." + field + "` cannot be combined with `spec.rules`: an approval is for operations"
                                + " of a ring, or for a change of the rules.",
                        "Write two documents.");
            } else if (!isOfRules(document) && !there && !field.equals("clusterId")) {
                findings.at(
                        path,
                        "missing-field",
                        "`spec." + field + "` is missing; expected "
                                + (field.equals("cluster") ? "the ring that it is for" : "a list of operation ids")
                                + ".",
                        "`etcd-gitops approve` prints the whole document.");
            }
        }
    }

    /// Whether it approves a change of the approval rules, and not a ring's operations.
    public static boolean isOfRules(YamlDocument document) {
        return document.has("spec", "rules");
    }

    public static Optional<RulesApproval> ofRules(YamlDocument document) {
        return document.text("spec", "rules")
                .map(change -> new RulesApproval(
                        document.text("metadata", "name").orElseThrow(),
                        change,
                        document.text("spec", "approvedBy").orElseThrow(),
                        document.text("spec", "expires").flatMap(Rfc3339::parse).orElseThrow(),
                        document.at(List.of())));
    }

    public static Optional<Approval> read(YamlDocument document) {
        return isOfRules(document) ? Optional.empty() : Optional.of(ofOperations(document));
    }

    private static Approval ofOperations(YamlDocument document) {
        var operations = new HashSet<String>();
        for (var item : document.items("spec", "operations")) {
            if (item instanceof YamlNode.Scalar scalar) {
                operations.add(scalar.text());
            }
        }
        return new Approval(
                document.text("metadata", "name").orElseThrow(),
                new ClusterRef(
                        document.text("spec", "cluster", "namespace").orElseThrow(),
                        document.text("spec", "cluster", "name").orElseThrow()),
                document.text("spec", "clusterId"),
                operations,
                document.text("spec", "approvedBy").orElseThrow(),
                document.text("spec", "expires").flatMap(Rfc3339::parse).orElseThrow(),
                document.at(List.of()));
    }
}
