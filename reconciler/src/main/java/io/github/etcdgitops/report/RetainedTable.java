package io.github.etcdgitops.report;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.Remains;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is kept of rings that were deleted, as their journals and claims tell.
public record RetainedTable(List<Row> rows) implements Rendering {
    private static final List<String> HEAD =
            List.of("RING", "CLUSTER ID", "VERSION", "DELETED", "CLAIM", "SIZE", "STATE", "REASON");

    /// `claims` has a state for each member of then; empty where they could not be read.
    public record Row(ClusterRef ref, Journal journal, Remains remains, Optional<SortedMap<String, Claim>> claims) {}

    /// `state` is as Kubernetes has it, or says what is wrong with the claim.
    public record Claim(String size, String state) {}

    public RetainedTable {
        rows = List.copyOf(rows);
    }

    /// Of all rings that were found those that were deleted and are not on their way back.
    public static RetainedTable of(SortedMap<ClusterRef, KubeState> found) {
        var rows = new ArrayList<Row>();
        found.forEach((ref, kube) -> kube.journal()
                .optional()
                .flatMap(j -> j)
                .map(KubeState.JournalState::journal)
                .filter(journal -> journal.intent().isEmpty())
                .ifPresent(journal -> journal.past()
                        .remains()
                        .filter(remains -> remains.volumes() != Remains.Volumes.DELETED)
                        .ifPresent(remains -> rows.add(new Row(ref, journal, remains, claims(ref, kube, journal))))));
        return new RetainedTable(rows);
    }

    private static Optional<SortedMap<String, Claim>> claims(ClusterRef ref, KubeState kube, Journal journal) {
        return kube.claims().optional().map(there -> {
            var claims = new TreeMap<String, Claim>();
            journal.members().forEach((ordinal, member) -> {
                var claim = Optional.ofNullable(there.get(ordinal));
                claims.put(
                        ref.claimName(kube.claimTemplate(), ordinal),
                        new Claim(
                                claim.map(c -> c.storage().size()).orElse(""),
                                claim.map(c -> state(c, member)).orElse("gone")));
            });
            return claims;
        });
    }

    private static String state(ClaimState claim, Journal.Member member) {
        if (member.claimUid().filter(claim.uid()::equals).isEmpty()) {
            return "another claim";
        }
        return claim.terminating() ? "being deleted" : claim.phase();
    }

    @Override
    public Lines human(Style style) {
        return rows.isEmpty()
                ? Lines.of("Nothing is kept of a deleted ring.")
                : new TextTable(HEAD, lines()).text(style);
    }

    @Override
    public String markdown() {
        var text = new StringBuilder("| ").append(String.join(" | ", HEAD)).append(" |\n");
        text.append("| --- ".repeat(HEAD.size())).append("|\n");
        lines().forEach(line -> text.append("| ")
                .append(String.join(" | ", line.stream().map(MarkdownText::text).toList()))
                .append(" |\n"));
        return text.toString();
    }

    private List<List<String>> lines() {
        var lines = new ArrayList<List<String>>();
        rows.forEach(row -> row.claims()
                .orElseGet(() -> new TreeMap<>(Map.of("?", new Claim("", "could not be read"))))
                .forEach((name, claim) -> lines.add(List.of(
                        row.ref().toString(),
                        id(row),
                        row.journal().applied().version().toString(),
                        row.remains().since().toString(),
                        name,
                        claim.size(),
                        claim.state(),
                        row.remains().reason()))));
        return lines;
    }

    private static String id(Row row) {
        return row.journal().clusterId().map(Object::toString).orElse("");
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "RetainedVolumes");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("rings", rows.stream().map(RetainedTable::tree).toList());
        return Json.write(document);
    }

    private static Map<String, Object> tree(Row row) {
        var tree = new TreeMap<String, Object>();
        tree.put("ring", row.ref().toString());
        tree.put("clusterId", id(row));
        tree.put("version", row.journal().applied().version().toString());
        tree.put("deleted", row.remains().since().toString());
        tree.put("reason", row.remains().reason());
        row.claims().ifPresent(claims -> {
            var all = new ArrayList<Map<String, Object>>();
            claims.forEach((name, claim) ->
                    all.add(new TreeMap<>(Map.of("name", name, "size", claim.size(), "state", claim.state()))));
            tree.put("claims", all);
        });
        return tree;
    }
}
