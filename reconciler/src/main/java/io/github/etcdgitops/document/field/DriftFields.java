package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.DriftHandling;
import io.github.etcdgitops.spec.ring.DriftHandling.Field;
import io.github.etcdgitops.spec.ring.DriftHandling.Mode;
import io.github.etcdgitops.spec.ring.DriftObject;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.WireName;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The fields of a policy about drift, at `path`.
record DriftFields(YamlDocument document, List<String> path) {
    DriftFields {
        path = List.copyOf(path);
    }

    /// Objects that are always corrected are refused with the reason, and not silently corrected.
    void check(Findings findings) {
        indexes().forEach(i -> {
            var object = document.text(at(i, "object")).flatMap(DriftObject::of);
            boolean left = document.text(at(i, "mode"))
                    .filter(mode -> !mode.equals("correct"))
                    .isPresent();
            object.filter(_ -> left)
                    .flatMap(o -> o.refusal(pointer(i)))
                    .ifPresent(why -> findings.at(
                            List.of(at(i, document.has(at(i, "pointer")) ? "pointer" : "object")),
                            "only-corrected",
                            "`" + object.orElseThrow() + "`" + (pointer(i).isEmpty() ? "" : " at " + pointer(i))
                                    + " can only be corrected: " + why + ".",
                            "Remove it from the policy, or set its mode to correct."));
        });
    }

    Rule.DriftPolicy read() {
        return new Rule.DriftPolicy(new DriftHandling(indexes().map(this::field).toList()));
    }

    private Field field(String index) {
        return new Field(
                document.text(at(index, "object")).flatMap(DriftObject::of).orElseThrow(),
                pointer(index),
                WireName.find(Mode.values(), document.text(at(index, "mode")).orElseThrow())
                        .orElseThrow());
    }

    private String pointer(String index) {
        return document.text(at(index, "pointer")).orElse("");
    }

    private Stream<String> indexes() {
        return IntStream.range(0, document.items(path.toArray(String[]::new)).size())
                .mapToObj(Integer::toString);
    }

    private String[] at(String... below) {
        return Stream.concat(path.stream(), Stream.of(below)).toArray(String[]::new);
    }
}
