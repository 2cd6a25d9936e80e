package io.github.etcdgitops.document;

import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ClusterRef;
import java.util.HashSet;
import java.util.List;

/// Reads and checks a document of kind Approval. Whether it has expired is the policies' matter: here is no clock.
final class ApprovalReader {
    private ApprovalReader() {}

    static void check(YamlDocument document, Findings findings) {
        Rfc3339.check(document, findings, "spec", "expires");
    }

    static Approval read(YamlDocument document) {
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
