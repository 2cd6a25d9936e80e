package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.state.Tries;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What was tried for members, as a part of the journal.
final class TriesFile {
    private TriesFile() {}

    static Map<String, Object> tree(Tries tries) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tries.replaced().ifPresent(when -> tree.put("replaced", when.toString()));
        Map<String, Object> members = new LinkedHashMap<>();
        tries.members()
                .forEach((ordinal, tried) -> members.put(
                        ordinal.toString(),
                        Map.of(
                                "member", tried.member().toString(),
                                "count", tried.count(),
                                "last", tried.last().toString(),
                                "pod", tried.pod())));
        tree.put("members", members);
        return tree;
    }

    static Tries tries(JournalFields reader) {
        var replaced =
                reader.names().contains("replaced") ? Optional.of(reader.time("replaced")) : Optional.<Instant>empty();
        var members = new TreeMap<Integer, Tries.Tried>();
        var listed = reader.object("members");
        for (String name : listed.names()) {
            members.put(listed.asOrdinal(name), tried(listed.object(name)));
        }
        reader.done();
        return new Tries(members, replaced);
    }

    private static Tries.Tried tried(JournalFields reader) {
        var tried = new Tries.Tried(
                reader.id("member").orElseThrow(() -> reader.wrong("member", "is missing")),
                reader.ordinal("count"),
                reader.time("last"),
                reader.text("pod"));
        reader.done();
        return tried;
    }
}
