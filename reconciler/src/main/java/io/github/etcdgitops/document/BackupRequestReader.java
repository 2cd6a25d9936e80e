package io.github.etcdgitops.document;

import io.github.etcdgitops.spec.BackupRequest;
import java.util.List;

/// Reads a document of kind EtcdBackup. Its schema says all that can be said of it alone.
final class BackupRequestReader {
    private BackupRequestReader() {}

    static BackupRequest read(YamlDocument document) {
        return new BackupRequest(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                document.text("spec", "policy").orElseThrow(),
                document.at(List.of()));
    }
}
