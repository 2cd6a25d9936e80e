package io.github.etcdgitops.document;

import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;

/// Whether the releases that a ring's document names exist, and may run.
record ReleaseCheck(Catalog catalog, YamlDocument document) {
    List<Violation> violations() {
        var found = new ArrayList<Violation>();
        document.text("spec", "version")
                .filter(text -> !text.startsWith("v"))
                .flatMap(EtcdVersion::parse)
                .ifPresent(v -> check(v, List.of("spec", "version"), "`spec.version`", found));
        int index = 0;
        for (String text : document.texts("spec", "rollout", "via")) {
            var at = List.of("spec", "rollout", "via", Integer.toString(index));
            String field = "`spec.rollout.via[" + index++ + "]`";
            EtcdVersion.parse(text).ifPresent(v -> check(v, at, field, found));
        }
        return found;
    }

    private void check(EtcdVersion version, List<String> at, String field, List<Violation> found) {
        if (!catalog.knows(version)) {
            found.add(Violation.of(
                    "unsupported-version",
                    document.at(at),
                    field + " is " + version + "; etcd " + catalog.range() + " is supported.",
                    "Choose a release of " + catalog.lines().getLast() + " for a new ring."));
        }
        catalog.ban(version)
                .ifPresent(ban -> found.add(Violation.of(
                        "corrupting-version",
                        document.at(at),
                        field + " is " + version + "; " + ban.reason() + ".",
                        ban.remedy())));
    }
}
