package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.JsonLine;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.value.ClusterRef;

/// An EtcdRestore as it would be in the repository.
record RestoreDocument(RestoreRequest request) {
    String yaml() {
        var out = new StringBuilder("apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdRestore\nmetadata:\n  name: ");
        out.append(request.name()).append("\nspec:\n");
        ring(out, "  ", request.cluster());
        out.append("  from:\n");
        switch (request.from()) {
            case From.Kept(String policy, String environment, ClusterRef ring, var backup) -> {
                out.append("    policy: ").append(policy).append('\n');
                out.append("    environment: ").append(environment).append('\n');
                ring(out, "    ", ring);
                backup.ifPresent(id ->
                        out.append("    backup: ").append(JsonLine.quoted(id)).append('\n'));
            }
            case From.Bare(var object) ->
                out.append("    url: ").append(JsonLine.quoted(object.title())).append('\n');
        }
        request.inPlace()
                .ifPresent(id -> out.append("  inPlace:\n    clusterId: ")
                        .append(JsonLine.quoted(id))
                        .append('\n'));
        request.bumpRevision()
                .ifPresent(by -> out.append("  bumpRevision: ").append(by).append('\n'));
        return out.toString();
    }

    private static void ring(StringBuilder out, String indent, ClusterRef ring) {
        out.append(indent).append("cluster:\n");
        out.append(indent).append("  namespace: ").append(ring.namespace()).append('\n');
        out.append(indent).append("  name: ").append(ring.name()).append('\n');
    }
}
