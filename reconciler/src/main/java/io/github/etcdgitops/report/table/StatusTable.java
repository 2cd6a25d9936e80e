package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.AuthJson;
import io.github.etcdgitops.report.Banners;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.Words;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.auth.AuthStanding;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// An overview of the rings: what `kubectl get` would show if it knew etcd.
public record StatusTable(List<String> banners, List<Row> rows) {
    private static final List<String> TITLES =
            List.of("RING", "SITUATION", "MEMBERS", "LEADER", "VERSION", "TOLERANCE", "TLS", "DB SIZE");

    public StatusTable {
        banners = List.copyOf(banners);
        rows = List.copyOf(rows);
    }

    public record Row(
            String ring,
            String situation,
            Health health,
            String versions,
            Talk talk,
            Stores stores,
            Optional<AuthStanding> users) {
        Row in(String other) {
            return new Row(ring, other, health, versions, talk, stores, users);
        }
    }

    /// Sizes in bytes, by member. `largest` is the largest file; -1 when unknown. A member that does not
    /// report how much of its file is in use is not in `inUse`.
    public record Stores(long largest, SortedMap<String, Long> files, SortedMap<String, Long> inUse) {
        static final Stores UNKNOWN = new Stores(-1, new TreeMap<>(), new TreeMap<>());

        public Stores {
            files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
            inUse = Collections.unmodifiableSortedMap(new TreeMap<>(inUse));
        }

        static Stores of(RingState ring) {
            var files = new TreeMap<String, Long>();
            var inUse = new TreeMap<String, Long>();
            ring.members()
                    .forEach(m -> m.status().optional().ifPresent(s -> {
                        files.put(m.name(), s.dbSize());
                        if (Space.tellsUse(s)) {
                            inUse.put(m.name(), s.dbSizeInUse());
                        }
                    }));
            long largest =
                    files.values().stream().mapToLong(Long::longValue).max().orElse(-1);
            return new Stores(largest, files, inUse);
        }

        Map<String, Object> tree() {
            var tree = new TreeMap<String, Object>();
            files.forEach((member, size) -> {
                var one = new TreeMap<String, Object>(Map.of("sizeBytes", size));
                Optional.ofNullable(inUse.get(member)).ifPresent(used -> one.put("inUseBytes", used));
                tree.put(member, one);
            });
            return tree;
        }
    }

    /// `members` looks like `3/3`, with `+1` for a learner.
    public record Health(String members, String leader, String tolerance) {
        static final Health UNKNOWN = new Health("?", "?", "?");
        static final Health NONE = new Health("-", "-", "-");
    }

    /// The ring's transport, as text, and when its first certificate expires.
    public record Talk(String tls, Optional<Instant> certificatesEnd) {
        static final Talk NONE = new Talk("-", Optional.empty());

        static Talk of(ClusterState state) {
            var journal = state.kube().knownJournal();
            return journal.filter(j -> j.applied().transport().secured())
                    .map(j -> new Talk(
                            j.applied().transport().describe(),
                            j.past().certificates().map(c -> c.first().end())))
                    .orElseGet(() -> new Talk(journal.isPresent() ? "plain" : "?", Optional.empty()));
        }

        String text() {
            return tls
                    + certificatesEnd
                            .map(end -> " until " + LocalDate.ofInstant(end, ZoneOffset.UTC))
                            .orElse("");
        }
    }

    /// `observed` are the rows of the existing rings, in the situations of the plan.
    public static StatusTable of(List<Row> observed, FleetPlan plan) {
        var planned = new TreeMap<String, String>();
        plan.clusters()
                .forEach(c -> planned.put(c.ref().toString(), c.situation().title()));
        var rows = new ArrayList<Row>();
        for (var row : observed) {
            String situation = planned.remove(row.ring());
            rows.add(situation == null ? row : row.in(situation));
        }
        planned.forEach((ring, situation) ->
                rows.add(new Row(ring, situation, Health.NONE, "-", Talk.NONE, Stores.UNKNOWN, Optional.empty())));
        rows.sort(java.util.Comparator.comparing(Row::ring));
        return new StatusTable(Banners.stops(plan), rows);
    }

    /// What is shown of an observed ring.
    public static Row row(ClusterState state) {
        String situation = "?";
        String name = state.ref().toString();
        if (!(state.ring() instanceof Observed.Known<RingState>(RingState ring))) {
            return new Row(
                    name, situation, Health.UNKNOWN, "?", Talk.of(state), Stores.UNKNOWN, AuthStanding.of(state));
        }
        long well = ring.voters().stream().filter(MemberState::answers).count();
        int learners = ring.members().size() - ring.voters().size();
        var versions = new TreeSet<String>();
        ring.members()
                .forEach(m -> m.status()
                        .optional()
                        .ifPresent(s -> versions.add(s.version().toString())));
        String leader = ring.leader()
                .flatMap(id ->
                        ring.members().stream().filter(m -> m.id().equals(id)).findFirst())
                .map(MemberState::name)
                .orElse("none");
        var quorum = new io.github.etcdgitops.state.health.Quorum(ring.voters().size(), (int) well);
        return new Row(
                name,
                situation,
                new Health(
                        well + "/" + ring.voters().size() + (learners == 0 ? "" : "+" + learners),
                        leader,
                        String.valueOf(quorum.tolerance())),
                String.join(",", versions),
                Talk.of(state),
                Stores.of(ring),
                AuthStanding.of(state));
    }

    public Lines human(Style style) {
        var cells = rows.stream()
                .map(r -> List.of(
                        r.ring(),
                        r.situation(),
                        r.health().members(),
                        r.health().leader(),
                        r.versions(),
                        r.health().tolerance(),
                        r.talk().text(),
                        r.stores().largest() < 0 ? "-" : Words.size(r.stores().largest())))
                .toList();
        var out = new Lines();
        banners.forEach(line -> out.append(style.strong().apply(line)).end());
        out.append(new TextTable(TITLES, cells).text(style));
        return rows.stream().allMatch(row -> row.users().isEmpty())
                ? out
                : out.end().append(AuthText.table(users()).text(style));
    }

    private SortedMap<String, AuthStanding> users() {
        var users = new TreeMap<String, AuthStanding>();
        rows.forEach(row -> row.users().ifPresent(standing -> users.put(row.ring(), standing)));
        return users;
    }

    public String json() {
        return Json.write(new TreeMap<>(Map.of(
                "kind",
                "Status",
                "formatVersion",
                PlanJson.FORMAT,
                "banners",
                banners,
                "rings",
                rows.stream().map(StatusTable::tree).toList())));
    }

    private static Map<String, Object> tree(Row row) {
        var tree = new TreeMap<String, Object>(Map.of(
                "id", row.ring(),
                "situation", row.situation(),
                "members", row.health().members(),
                "leader", row.health().leader(),
                "versions", row.versions(),
                "tolerance", row.health().tolerance(),
                "tls", row.talk().tls(),
                "dbSizeBytes", row.stores().largest(),
                "databases", row.stores().tree()));
        row.talk().certificatesEnd().ifPresent(end -> tree.put("certificatesEnd", end.toString()));
        row.users().ifPresent(users -> tree.put("auth", AuthJson.tree(users)));
        return tree;
    }
}
