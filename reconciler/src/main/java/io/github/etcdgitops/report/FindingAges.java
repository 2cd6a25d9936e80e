package io.github.etcdgitops.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.WireName;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Since when each finding has existed, in whole seconds, by ring: kept on the report branch from one
/// report to the next. It is for readers only and decides nothing, because anyone who may write to that
/// branch can change it.
///
/// A finding is the same as in the former report when code and message are equal. Where only the message
/// has changed, for example a number in it, it continues the oldest former finding of its code that no
/// longer exists. A ring that cannot be read keeps its known findings.
public record FindingAges(SortedMap<String, SortedMap<Finding, Instant>> rings) {
    public static final FindingAges NONE = new FindingAges(new TreeMap<>());

    public FindingAges {
        var copy = new TreeMap<String, SortedMap<Finding, Instant>>();
        rings.forEach((ring, findings) -> copy.put(ring, Collections.unmodifiableSortedMap(new TreeMap<>(findings))));
        rings = Collections.unmodifiableSortedMap(copy);
    }

    /// One finding of a ring.
    public record Sighting(String ring, Finding finding, Instant since) {
        private static final Comparator<Sighting> OLDEST_FIRST = Comparator.comparing(Sighting::since)
                .thenComparing(Sighting::finding)
                .thenComparing(Sighting::ring);
    }

    /// Finds the findings of `plan` in `former`, the file of the last report; the others are first seen
    /// `now`. With an unreadable file only the ages are lost.
    public static FindingAges of(FleetPlan plan, Optional<String> former, Instant now) {
        var known = former.map(FindingAges::read).orElse(NONE).rings();
        var first = now.truncatedTo(ChronoUnit.SECONDS);
        var rings = new TreeMap<String, SortedMap<Finding, Instant>>();
        for (ClusterPlan cluster : plan.clusters()) {
            String ring = cluster.ref().toString();
            var left = new TreeMap<>(known.getOrDefault(ring, new TreeMap<>()));
            var carried = carried(cluster.findings(), left, first);
            if (cluster.situation() == Situation.UNKNOWN) {
                carried.putAll(left);
            }
            if (!carried.isEmpty()) {
                rings.put(ring, carried);
            }
        }
        return new FindingAges(rings);
    }

    /// Removes matches from `left`, so that one former finding gives its age to only one.
    private static TreeMap<Finding, Instant> carried(
            List<Finding> findings, TreeMap<Finding, Instant> left, Instant first) {
        var carried = new TreeMap<Finding, Instant>();
        findings.stream().filter(left::containsKey).forEach(f -> carried.put(f, left.get(f)));
        carried.keySet().forEach(left::remove);
        for (Finding finding : findings) {
            if (!carried.containsKey(finding)) {
                var oldest = left.entrySet().stream()
                        .filter(e -> e.getKey().code().equals(finding.code()))
                        .min(Map.Entry.comparingByValue());
                carried.put(finding, oldest.map(Map.Entry::getValue).orElse(first));
                oldest.ifPresent(e -> left.remove(e.getKey()));
            }
        }
        return carried;
    }

    public Optional<Instant> since(ClusterRef ref, Finding finding) {
        return Optional.ofNullable(rings.get(ref.toString())).map(findings -> findings.get(finding));
    }

    /// For all rings.
    public List<Sighting> oldestFirst() {
        var all = new ArrayList<Sighting>();
        rings.forEach(
                (ring, findings) -> findings.forEach((finding, since) -> all.add(new Sighting(ring, finding, since))));
        all.sort(Sighting.OLDEST_FIRST);
        return List.copyOf(all);
    }

    /// By ring, the most severe first.
    public String json() {
        var entries = new ArrayList<Map<String, Object>>();
        rings.forEach((ring, findings) -> findings.forEach((finding, since) -> entries.add(new TreeMap<>(Map.of(
                "cluster", ring,
                "level", finding.level().wire(),
                "code", finding.code(),
                "message", finding.message(),
                "since", since.toString())))));
        return Json.write(
                new TreeMap<>(Map.of("formatVersion", PlanJson.FORMAT, "kind", "Findings", "findings", entries)));
    }

    private static Finding finding(Finding.Level level, String code, String message) {
        return WireName.find(FindingCode.values(), code)
                .map(kind -> new Finding(level, kind, message))
                .orElseGet(() -> Finding.ofRule(level, code, message));
    }

    private static FindingAges read(String json) {
        var rings = new TreeMap<String, SortedMap<Finding, Instant>>();
        try {
            for (JsonNode entry : new JsonMapper().readTree(json).path("findings")) {
                var level = WireName.find(
                                Finding.Level.values(), entry.path("level").asText())
                        .orElseThrow(() -> new IllegalArgumentException("no level of a finding"));
                rings.computeIfAbsent(entry.path("cluster").asText(), _ -> new TreeMap<>())
                        .put(
                                finding(
                                        level,
                                        entry.path("code").asText(),
                                        entry.path("message").asText()),
                                Instant.parse(entry.path("since").asText()));
            }
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException _) {
            return NONE;
        }
        return new FindingAges(rings);
    }
}
