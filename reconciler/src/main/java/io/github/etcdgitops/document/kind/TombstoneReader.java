package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Envelope;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.Tombstone;
import java.util.Arrays;
import java.util.List;

/// Reads a document of kind Tombstone. The plan checks whether its ring exists, is gone or never existed.
public final class TombstoneReader {
    private static final String POLICY = "policy";

    private TombstoneReader() {}

    /// Only a snapshot needs a destination.
    static void check(YamlDocument document, Findings findings) {
        boolean snapshot = document.text("spec", "data")
                .filter(Tombstone.Data.SNAPSHOT_THEN_DELETE.word()::equals)
                .isPresent();
        boolean named = document.has("spec", POLICY);
        if (snapshot && !named) {
            findings.at(
                    List.of("spec"),
                    "missing-field",
                    "`spec." + POLICY + "` is missing; a last snapshot needs a destination.",
                    "Name a BackupPolicy: the snapshot is stored in its destination.");
        } else if (named && !snapshot) {
            findings.atKey(
                    List.of("spec", POLICY),
                    "needless-field",
                    "`spec." + POLICY + "` is valid only with `data: snapshotThenDelete`; nothing else takes a"
                            + " snapshot.",
                    "Remove it.");
        }
    }

    public static Tombstone read(YamlDocument document) {
        return new Tombstone(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                document.text("spec", "clusterId").orElseThrow(),
                data(document.text("spec", "data").orElseThrow()),
                document.text("spec", POLICY),
                document.text("spec", "reason").orElseThrow(),
                document.at(List.of()));
    }

    private static Tombstone.Data data(String text) {
        return Arrays.stream(Tombstone.Data.values())
                .filter(data -> data.word().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the schema lets no other word pass: " + text));
    }
}
