package io.github.etcdgitops.trial.backup;

import io.github.etcdgitops.trial.bench.Bench;
import java.nio.charset.StandardCharsets;

/// What a repository says of a ring that is backed up, and of one that begins with its backup.
public record RestoreDocuments(Bench bench) {
    /// A policy with this selector holds for the ring alone: what is restored is not backed up in its turn.
    static final String SELECTOR = "clusters: {matchLabels: {backed: up}}";

    public byte[] backedUp(String ring, int size, String more) {
        return text(bench.document(ring, size, bench.options().version(), more))
                .replace("metadata:\n", "metadata:\n  labels: {backed: up}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /// The same policy, for the ring that is backed up.
    byte[] policy(BackupPlace place, String more) {
        return text(place.document(bench.namespace(), more))
                .replace("clusters: {namespaces: [" + bench.namespace() + "]}", SELECTOR)
                .getBytes(StandardCharsets.UTF_8);
    }

    /// `more` is `, backup: "ID"`, or nothing for the newest.
    public byte[] restore(String ring, String policy, String of, String more) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdRestore
            metadata: {name: %2$s-restore}
            spec:
              cluster: {namespace: %1$s, name: %2$s}
              from: {policy: %3$s, environment: %1$s, cluster: {namespace: %1$s, name: %4$s}%5$s}
            """.formatted(bench.namespace(), ring, policy, of, more).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] document) {
        return new String(document, StandardCharsets.UTF_8);
    }
}
