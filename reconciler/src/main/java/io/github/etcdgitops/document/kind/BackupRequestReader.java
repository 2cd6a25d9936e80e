package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Envelope;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.BackupRequest;
import java.util.List;

/// Reads a document of kind EtcdBackup. Its schema checks everything about the document alone.
public final class BackupRequestReader {
    private BackupRequestReader() {}

    public static BackupRequest read(YamlDocument document) {
        return new BackupRequest(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                document.text("spec", "policy").orElseThrow(),
                document.at(List.of()));
    }
}
