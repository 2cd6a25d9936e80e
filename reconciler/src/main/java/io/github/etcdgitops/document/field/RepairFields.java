package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.RepairModes;
import io.github.etcdgitops.spec.ring.RepairModes.Kind;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.spec.value.WireName;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The repairs that are allowed without approval, for one level, in a document that passed every check.
public final class RepairFields {
    private RepairFields() {}

    /// The value of `repair` at `path` of the document.
    public static RepairModes read(YamlDocument document, String... path) {
        var set = new TreeMap<Kind, Mode>();
        for (var kind : Kind.values()) {
            var field = Stream.concat(Stream.of(path), Stream.of("repair", kind.field()))
                    .toArray(String[]::new);
            document.text(field)
                    .ifPresent(mode ->
                            set.put(kind, WireName.find(Mode.values(), mode).orElseThrow()));
        }
        var after = Stream.concat(Stream.of(path), Stream.of("repair", "machineGoneAfter"))
                .toArray(String[]::new);
        return new RepairModes(set, Durations.of(document, after));
    }
}
