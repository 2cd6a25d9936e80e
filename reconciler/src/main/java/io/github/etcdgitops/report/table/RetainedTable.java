package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.underway.Leftovers;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is retained of deleted rings, from their journals and claims.
public record RetainedTable(List<Row> rows) implements Rendering {
    private static final List<String> HEAD =
            List.of("RING", "CLUSTER ID", "VERSION", "DELETED", "WHAT IS LEFT", "SIZE", "STATE", "REASON");

    /// Only rings with a journal, members' files or claims are searched.
    private static final String NOTHING =
            "No volume, journal or members' file of a deleted ring is left. Secrets and Leases are not searched:"
                    + " kubectl get secret,lease -A -l app.kubernetes.io/managed-by=etcd-gitops lists them.";

    /// `journal` and `remains` are empty where only claims or members' files are left. `claims` has a state
    /// for each former member and for members that had left earlier; empty where they could not be read.
    /// `objects` are the other objects, and `remove` is the command that deletes them.
    public record Row(
            ClusterRef ref,
            Optional<Journal> journal,
            Optional<RetainedRing> remains,
            Optional<SortedMap<String, Claim>> claims,
            List<Leftovers.Item> objects,
            String remove) {
        public Row {
            objects = List.copyOf(objects);
        }
    }

    /// `state` is the one in Kubernetes, or says what is wrong with the claim.
    public record Claim(String size, String state) {}

    public RetainedTable {
        rows = List.copyOf(rows);
    }

    /// From all found rings: those that were deleted and are not coming back, and those without journal and
    /// StatefulSet that have other objects.
    public static RetainedTable of(Listing found) {
        return new RetainedTable(found.refs().stream()
                .flatMap(ref -> found.state(ref).flatMap(kube -> row(ref, kube)).stream())
                .toList());
    }

    private static Optional<Row> row(ClusterRef ref, KubeState kube) {
        var state = kube.journal().optional();
        if (state.isEmpty()) {
            return Optional.empty();
        }
        if (state.get().isEmpty()) {
            return Observed.absent(kube.statefulSet()) ? withoutJournal(ref, kube) : Optional.empty();
        }
        var journal = state.get().get().journal();
        return journal.past()
                .remains()
                .filter(_ -> journal.intent().isEmpty())
                .map(remains -> new Row(
                        ref,
                        Optional.of(journal),
                        Optional.of(remains),
                        claims(ref, kube, journal, remains.volumes() != RetainedRing.Volumes.DELETED),
                        Leftovers.of(ref, kube, journal).objects(),
                        Leftovers.of(ref, kube, journal).command()));
    }

    private static Optional<Row> withoutJournal(ClusterRef ref, KubeState kube) {
        var claims = new TreeMap<String, Claim>();
        kube.claims()
                .optional()
                .ifPresent(there -> there.values().stream()
                        .filter(ClaimState::ours)
                        .forEach(claim -> claims.put(
                                claim.name(), new Claim(claim.storage().size(), state(claim, "no journal names it")))));
        boolean files = kube.configs().optional().filter(c -> !c.isEmpty()).isPresent();
        if (claims.isEmpty() && !files) {
            return Optional.empty();
        }
        return Optional.of(new Row(
                ref,
                Optional.empty(),
                Optional.empty(),
                Optional.of(claims),
                files ? List.of(Leftovers.configs(ref)) : List.of(),
                "kubectl -n " + ref.namespace() + " delete pvc,configmap,secret,lease" + Leftovers.labels(ref)));
    }

    private static Optional<SortedMap<String, Claim>> claims(
            ClusterRef ref, KubeState kube, Journal journal, boolean kept) {
        return kube.claims().optional().map(there -> {
            var claims = new TreeMap<String, Claim>();
            journal.members().forEach((ordinal, member) -> {
                var claim = Optional.ofNullable(there.get(ordinal));
                if (kept || claim.isPresent()) {
                    claims.put(
                            ref.claimName(kube.claimTemplate(), ordinal),
                            new Claim(
                                    claim.map(c -> c.storage().size()).orElse(""),
                                    claim.map(c -> state(c, member)).orElse("gone")));
                }
            });
            Leftovers.of(ref, kube, journal)
                    .former()
                    .values()
                    .forEach(claim -> claims.put(
                            claim.name(), new Claim(claim.storage().size(), state(claim, "its member has left"))));
            return claims;
        });
    }

    private static String state(ClaimState claim, String besides) {
        return (claim.terminating() ? "being deleted" : claim.phase().wire()) + ", " + besides;
    }

    private static String state(ClaimState claim, Journal.Member member) {
        if (member.claimUid().filter(claim.uid()::equals).isEmpty()) {
            return "another claim";
        }
        return claim.terminating() ? "being deleted" : claim.phase().wire();
    }

    @Override
    public Lines human(Style style) {
        if (rows.isEmpty()) {
            return Lines.of(NOTHING);
        }
        var text = new Lines().append(new TextTable(HEAD, lines()).text(style));
        rows.forEach(row -> text.end()
                .append("To delete the objects of " + row.ref() + ", once no claim of it is left:")
                .end()
                .append("  " + row.remove())
                .end());
        return text;
    }

    @Override
    public String markdown() {
        var text = new StringBuilder("| ").append(String.join(" | ", HEAD)).append(" |\n");
        text.append("| --- ".repeat(HEAD.size())).append("|\n");
        lines().forEach(line -> text.append("| ")
                .append(String.join(" | ", line.stream().map(MarkdownText::text).toList()))
                .append(" |\n"));
        rows.forEach(row -> text.append("\nTo delete the objects of ")
                .append(MarkdownText.text(row.ref().toString()))
                .append(", once no claim of it is left: `")
                .append(row.remove())
                .append("`\n"));
        return text.toString();
    }

    private List<List<String>> lines() {
        var lines = new ArrayList<List<String>>();
        for (Row row : rows) {
            row.claims()
                    .orElseGet(() -> new TreeMap<>(Map.of("?", new Claim("", "could not be read"))))
                    .forEach((name, claim) -> lines.add(line(row, "claim " + name, claim)));
            row.objects().forEach(object -> lines.add(line(row, object.toString(), new Claim("", "left"))));
        }
        return lines;
    }

    private static List<String> line(Row row, String what, Claim claim) {
        return List.of(
                row.ref().toString(),
                id(row),
                version(row),
                row.remains().map(remains -> remains.since().toString()).orElse(""),
                what,
                claim.size(),
                claim.state(),
                row.remains().map(RetainedRing::reason).orElse(""));
    }

    private static String id(Row row) {
        return row.journal().flatMap(Journal::clusterId).map(Object::toString).orElse("");
    }

    private static String version(Row row) {
        return row.journal()
                .map(journal -> journal.applied().version().toString())
                .orElse("");
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
        tree.put("version", version(row));
        row.remains().ifPresent(remains -> {
            tree.put("deleted", remains.since().toString());
            tree.put("reason", remains.reason());
        });
        tree.put("objects", row.objects().stream().map(Leftovers.Item::toString).toList());
        tree.put("remove", row.remove());
        row.claims().ifPresent(claims -> {
            var all = new ArrayList<Map<String, Object>>();
            claims.forEach((name, claim) ->
                    all.add(new TreeMap<>(Map.of("name", name, "size", claim.size(), "state", claim.state()))));
            tree.put("claims", all);
        });
        return tree;
    }
}
