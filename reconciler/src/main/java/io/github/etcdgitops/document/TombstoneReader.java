package io.github.etcdgitops.document;

import io.github.etcdgitops.spec.Tombstone;
import java.util.Arrays;
import java.util.List;

/// Reads a document of kind Tombstone. What it is about may be there, be gone or never have been: that is
/// the plan's matter.
final class TombstoneReader {
    private TombstoneReader() {}

    static Tombstone read(YamlDocument document) {
        return new Tombstone(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                document.text("spec", "clusterId").orElseThrow(),
                data(document.text("spec", "data").orElseThrow()),
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
