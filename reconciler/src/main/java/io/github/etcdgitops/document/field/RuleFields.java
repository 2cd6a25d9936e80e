package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Window;
import io.github.etcdgitops.spec.time.Windows;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.VersionRange;
import io.github.etcdgitops.spec.value.WireName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One rule of a Policy with its parameters.
public record RuleFields(YamlDocument document, RuleKind kind) {
    public static final String RULES = "rules";
    private static final Duration MARGIN = Duration.ofMinutes(15);
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final int MIN_RINGS = 10;

    /// Checks what the schema cannot.
    public void check(Findings findings) {
        switch (kind) {
            case VERSION_ALLOWLIST -> {
                checkSomething(findings, "allowed", "blocked");
                indexes("allowed").forEach(i -> checkVersions(findings, path("allowed", i)));
                indexes("blocked").forEach(i -> checkVersions(findings, path("blocked", i, "versions")));
            }
            case MAINTENANCE_WINDOW -> {
                checkSomething(findings, "allow", "deny");
                Stream.of("allow", "deny")
                        .forEach(list -> indexes(list).forEach(i -> {
                            ClockFields.crontab(document, findings, path(list, i, "schedule"));
                            ClockFields.timeZone(document, findings, path(list, i, "timeZone"));
                        }));
            }
            case FREEZE -> checkFreeze(findings);
            case BLAST_RADIUS -> checkSomething(findings, "most", "percent");
            case DRIFT_POLICY -> new DriftFields(document, List.of(path("fields"))).check(findings);
            case ODD_MEMBERS,
                    ADVISORIES,
                    REQUIRE_TLS,
                    AUTH_REQUIRED,
                    ROLE_BREADTH,
                    REQUIRE_BACKUP,
                    SUSPEND_HYGIENE,
                    SECRET_IN_SPEC,
                    DESTRUCTIVE_APPROVAL,
                    BACKUP_FRESHNESS,
                    COOL_DOWN,
                    WAVES,
                    MAX_PARALLEL,
                    VALIDATION -> {
                // The schema checks everything.
            }
        }
    }

    private void checkSomething(Findings findings, String one, String other) {
        if (!document.has(path(one)) && !document.has(path(other))) {
            findings.atKey(
                    List.of(path()),
                    "empty-rule",
                    "`" + kind + "` has neither `" + one + "` nor `" + other + "`, so it would apply to nothing.",
                    "Give it one of them.");
        }
    }

    private void checkVersions(Findings findings, String... path) {
        document.text(path)
                .filter(text -> VersionRange.parse(text).isEmpty())
                .ifPresent(text -> findings.at(
                        List.of(path),
                        "bad-version-range",
                        "`" + Shown.path(List.of(path)) + "` is " + Shown.quoted(text)
                                + ", which is not a range of versions.",
                        "For example \">=3.5.16 <3.6.0\", \"3.5.x\", \"~3.5.16\" or \"3.4.0 - 3.5.9\", separated by"
                                + " single spaces."));
    }

    private void checkFreeze(Findings findings) {
        Rfc3339.check(document, findings, path("from"));
        Rfc3339.check(document, findings, path("until"));
        var until = time("until");
        time("from")
                .filter(from -> until.filter(u -> !u.isAfter(from)).isPresent())
                .ifPresent(_ -> findings.at(
                        List.of(path("until")),
                        "ends-before-it-begins",
                        "`" + Shown.path(List.of(path("until")))
                                + "` is not after `from`, so the freeze would never apply.",
                        "Check both times, and their offsets."));
    }

    /// For a document that passed every check.
    public Rule read() {
        return switch (kind) {
            case ODD_MEMBERS -> new Rule.OddMembers(sizes());
            case VERSION_ALLOWLIST -> versions();
            case ADVISORIES -> advisories();
            case REQUIRE_TLS -> new Rule.RequireTls(flag("peer", true), clientMode());
            case AUTH_REQUIRED -> new Rule.AuthRequired();
            case ROLE_BREADTH -> new Rule.RoleBreadth(names("prefixes"), names("except"));
            case REQUIRE_BACKUP -> requireBackup();
            case SUSPEND_HYGIENE ->
                new Rule.SuspendHygiene(Durations.of(document, path("longest")).orElse(LONGEST));
            case SECRET_IN_SPEC -> new Rule.SecretInSpec();
            case MAINTENANCE_WINDOW ->
                new Rule.MaintenanceWindow(
                        new Windows(windows("allow"), windows("deny")),
                        Durations.of(document, path("margin")).orElse(MARGIN),
                        minRisk(Risk.LOW),
                        flag("repairs", false));
            case FREEZE -> freeze();
            case VALIDATION -> throw new IllegalStateException("a validation has no field below " + RULES);
            case DESTRUCTIVE_APPROVAL ->
                new Rule.DestructiveApproval(
                        minRisk(Risk.DESTRUCTIVE),
                        names("operations"),
                        count("approvers").orElse(1),
                        flag("authorMayApprove", false));
            case BACKUP_FRESHNESS -> freshness();
            case DRIFT_POLICY -> new DriftFields(document, List.of(path("fields"))).read();
            case COOL_DOWN ->
                new Rule.CoolDown(Durations.of(document, path("between")).orElseThrow(), minRisk(Risk.MEDIUM));
            case WAVES -> waves();
            case MAX_PARALLEL ->
                new Rule.MaxParallel(count("most").orElseThrow(), document.text(path("by")), minRisk(Risk.MEDIUM));
            case BLAST_RADIUS -> blastRadius();
        };
    }

    private Rule versions() {
        return new Rule.VersionAllowlist(
                document.texts(path("allowed")).stream().map(VersionRange::new).toList(), blocked());
    }

    private Rule requireBackup() {
        return new Rule.RequireBackup(
                Durations.of(document, path("maxAge")), Durations.of(document, path("drilledWithin")));
    }

    private SortedSet<String> names(String list) {
        return new TreeSet<>(document.texts(path(list)));
    }

    private Rule advisories() {
        return new Rule.Advisories(
                document.text(path("severity"))
                        .flatMap(word -> WireName.find(Advisory.Severity.values(), word))
                        .orElse(Advisory.Severity.LOW),
                Durations.of(document, path("grace")).orElse(Duration.ZERO));
    }

    private Rule freshness() {
        return new Rule.BackupFreshness(
                Durations.of(document, path("maxAge")).orElseThrow(),
                Durations.of(document, path("drilledWithin")),
                minRisk(Risk.MEDIUM),
                flag("repairs", false));
    }

    private Rule waves() {
        return new Rule.Waves(
                indexes("order")
                        .map(i -> SelectorFields.ofRings(document, path("order", i)))
                        .toList(),
                Durations.of(document, path("soak")).orElse(Duration.ZERO),
                minRisk(Risk.MEDIUM));
    }

    private Rule blastRadius() {
        return new Rule.BlastRadius(
                count("most"), count("percent"), count("minRings").orElse(MIN_RINGS), minRisk(Risk.LOW));
    }

    private Rule freeze() {
        return new Rule.Freeze(
                time("from"),
                time("until").orElseThrow(),
                document.text(path("reason")).orElseThrow(),
                minRisk(Risk.LOW),
                flag("repairs", false));
    }

    private OptionalInt count(String name) {
        return document.number(path(name)).stream().mapToInt(Math::toIntExact).findFirst();
    }

    private List<Integer> sizes() {
        var sizes = document.items(path("sizes")).stream()
                .flatMap(item -> item instanceof YamlNode.Scalar scalar
                        ? Stream.of(scalar.value().intValue())
                        : Stream.<Integer>empty())
                .toList();
        return sizes.isEmpty() ? Rule.OddMembers.ODD : sizes;
    }

    private List<Rule.VersionAllowlist.Blocked> blocked() {
        return indexes("blocked")
                .map(i -> new Rule.VersionAllowlist.Blocked(
                        new VersionRange(
                                document.text(path("blocked", i, "versions")).orElseThrow()),
                        document.text(path("blocked", i, "reason")).orElseThrow()))
                .toList();
    }

    private List<Window> windows(String list) {
        return indexes(list)
                .map(i -> new Window(
                        Crontab.parse(document.text(path(list, i, "schedule")).orElseThrow()),
                        Durations.of(document, path(list, i, "duration")).orElseThrow(),
                        ZoneId.of(document.text(path(list, i, "timeZone")).orElseThrow())))
                .toList();
    }

    private Transport.Mode clientMode() {
        return document.text(path("client"))
                .map(mode -> WireName.find(Transport.Mode.values(), mode).orElseThrow())
                .orElse(Transport.Mode.MUTUAL);
    }

    private Risk minRisk(Risk otherwise) {
        return document.text(path("minRisk"))
                .map(risk -> WireName.find(Risk.values(), risk).orElseThrow())
                .orElse(otherwise);
    }

    private boolean flag(String name, boolean otherwise) {
        return document.find(path(name))
                .map(node ->
                        node instanceof YamlNode.Scalar scalar && scalar.value().booleanValue())
                .orElse(otherwise);
    }

    private Optional<Instant> time(String name) {
        return document.text(path(name)).flatMap(Rfc3339::parse);
    }

    private Stream<String> indexes(String list) {
        return IntStream.range(0, document.items(path(list)).size()).mapToObj(Integer::toString);
    }

    private String[] path(String... below) {
        return Stream.concat(Stream.of("spec", RULES, kind.toString()), Stream.of(below))
                .toArray(String[]::new);
    }
}
