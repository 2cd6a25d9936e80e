package io.github.etcdgitops.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.fake.Hostile;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.BackupNeeds.Dues;
import io.github.etcdgitops.ring.backup.BackupNeeds.OfPolicy;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.tls.CertificateEnds;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.validation.Location;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class MetricsTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Instant BEGAN = Instant.parse("2026-11-01T03:00:00Z");

    private final Metrics metrics = new Metrics("1.2.3");

    private static RunFigures run(StepResult result) {
        var plan =
                new FleetPlan("prod", "sha256:0", "tool", List.of(ClusterPlan.rejected(ORDERS, List.of())), List.of());
        var event = new StepEvent("id", "ScaleOut", new MemberStep.AwaitGreen(), result, BEGAN, Duration.ofSeconds(2));
        return new RunFigures(
                Optional.of(plan),
                List.of(new ClusterResult(ORDERS, Outcome.DONE, "", List.of(event))),
                "success",
                BEGAN,
                Duration.ofMillis(1500),
                new TreeMap<>(java.util.Map.of("list pods", 2L, "get pods/log", 1L)));
    }

    @Test
    void tellsOfRingsOperationsStepsAndRequests() {
        metrics.record(run(new StepResult.Done("well")));

        assertThat(metrics.scrape())
                .contains("etcd_gitops_build_info{version=\"1.2.3\"} 1")
                .contains("etcd_gitops_runs_total{environment=\"prod\",exit=\"success\"} 1.0")
                .contains("etcd_gitops_last_run_duration_seconds 1.5")
                .contains("etcd_gitops_last_run_timestamp_seconds 1.7935020015E9")
                .contains("etcd_gitops_rings{environment=\"prod\",situation=\"rejected\"} 1.0")
                .contains("etcd_gitops_ring_waiting{environment=\"prod\",namespace=\"demo\",ring=\"orders\"} 0.0")
                .doesNotContain("etcd_gitops_ring_tolerance{")
                .contains(
                        "etcd_gitops_operations_total{environment=\"prod\",operation=\"ScaleOut\",result=\"done\"} 1.0")
                .contains("etcd_gitops_step_seconds_sum{result=\"done\",step=\"AwaitGreen\"} 2.0")
                .contains("etcd_gitops_api_calls_total{resource=\"pods/log\",verb=\"get\"} 1.0")
                .contains("etcd_gitops_process_peak_memory_bytes ");
    }

    @Test
    void reportsAgesOfBackupsAndDrills() {
        metrics.record(keeping(Observed.known(new RingBackups(
                List.of(
                        backup("20261101T010000Z", new StoredBackup.Drill(BEGAN.minusSeconds(60), true)),
                        backup("20261101T020000Z", new StoredBackup.Drill(BEGAN, false))),
                List.of()))));

        String labels = "{environment=\"prod\",namespace=\"demo\",policy=\"nightly\",ring=\"orders\"} ";
        assertThat(metrics.scrape())
                .contains("etcd_gitops_backup_newest_timestamp_seconds" + labels + "1.7934984E9")
                .contains("etcd_gitops_drill_passed_timestamp_seconds" + labels + "1.79350194E9")
                .contains("etcd_gitops_drill_failing" + labels + "1.0");
    }

    @Test
    void saysNothingOfAPlaceThatCouldNotBeRead() {
        metrics.record(keeping(Observed.unknown("no answer")));

        assertThat(metrics.scrape()).doesNotContain("etcd_gitops_backup_newest_timestamp_seconds{");
    }

    private static StoredBackup backup(String id, StoredBackup.Drill drill) {
        return new StoredBackup(
                new BackupKey("prod", ORDERS, new EtcdId(31), id),
                BackupKey.time(id).orElseThrow(),
                false,
                List.of(drill));
    }

    private static RunFigures keeping(Observed<RingBackups> stored) {
        var policy = new BackupPolicy(
                "nightly",
                new RingSelector(List.of(), List.of("demo"), new TreeMap<>()),
                Optional.empty(),
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                new BackupPolicy.Terms(
                        BackupPolicy.Retention.ALL,
                        new BackupPolicy.Objectives(Optional.empty(), Optional.empty()),
                        Optional.empty()),
                Location.ofFile("policies/nightly.yaml"));
        var needs = new BackupNeeds("prod", List.of(new OfPolicy(policy, stored, Dues.NONE)));
        var plan = new FleetPlan(
                "prod",
                "sha256:0",
                "tool",
                List.of(),
                List.of(),
                new FleetPlan.Beside(
                        new TreeMap<>(Map.of(
                                ORDERS,
                                new RingFacts(
                                        Optional.of(needs),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty()))),
                        List.of()));
        return new RunFigures(Optional.of(plan), List.of(), "success", BEGAN, Duration.ZERO, new TreeMap<>());
    }

    /// And a ring that has none any more has no figure.
    @Test
    void exportsExpiryOfCertificates() {
        metrics.record(ending(new CertificateEnds(
                Instant.ofEpochSecond(1_800_000_000L), Optional.of(Instant.ofEpochSecond(2_000_000_000L)))));
        assertThat(metrics.scrape())
                .contains("etcd_gitops_certificate_end_timestamp_seconds{environment=\"prod\",namespace=\"demo\","
                        + "ring=\"orders\"} 1.8E9")
                .contains("etcd_gitops_authority_end_timestamp_seconds{environment=\"prod\",namespace=\"demo\","
                        + "ring=\"orders\"} 2.0E9");

        metrics.record(run(new StepResult.Done("well")));
        assertThat(metrics.scrape()).doesNotContain("certificate_end_timestamp_seconds{");
    }

    private static RunFigures ending(CertificateEnds ends) {
        var plan = new FleetPlan(
                "prod",
                "sha256:0",
                "tool",
                List.of(),
                List.of(),
                new FleetPlan.Beside(
                        new TreeMap<>(Map.of(
                                ORDERS,
                                new RingFacts(
                                        Optional.empty(),
                                        Optional.of(ends),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty()))),
                        List.of()));
        return new RunFigures(Optional.of(plan), List.of(), "success", BEGAN, Duration.ZERO, new TreeMap<>());
    }

    @Test
    void countsAdvisoriesOfRingBySeverity() {
        var plan = new FleetPlan(
                "prod",
                "sha256:0",
                "tool",
                List.of(),
                List.of(),
                new FleetPlan.Beside(
                        new TreeMap<>(Map.of(
                                ORDERS,
                                new RingFacts(
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.of(Releases.KNOWN.advisories(
                                                new EtcdVersion(3, 5, 30), Set.of(Advisory.Need.TLS)))))),
                        List.of()));
        metrics.record(new RunFigures(Optional.of(plan), List.of(), "success", BEGAN, Duration.ZERO, new TreeMap<>()));

        assertThat(metrics.scrape())
                .contains("etcd_gitops_ring_advisories{environment=\"prod\",namespace=\"demo\",ring=\"orders\","
                        + "severity=\"high\"} 1.0")
                .contains("severity=\"critical\"} 0.0");
    }

    @Test
    void countersGrowOverRunsAndGaugesFollowTheLastOne() {
        metrics.record(run(new StepResult.Done("well")));
        metrics.record(run(new StepResult.Failed("not well")));
        metrics.record(new RunFigures(Optional.empty(), List.of(), "temporary", BEGAN, Duration.ZERO, new TreeMap<>()));

        assertThat(metrics.scrape())
                .contains("etcd_gitops_runs_total{environment=\"prod\",exit=\"success\"} 2.0")
                .contains("etcd_gitops_runs_total{environment=\"\",exit=\"temporary\"} 1.0")
                .contains("etcd_gitops_operations_total{environment=\"prod\",operation=\"ScaleOut\",result=\"failed\"}"
                        + " 1.0")
                .contains("etcd_gitops_api_calls_total{resource=\"pods\",verb=\"list\"} 4.0")
                .contains("etcd_gitops_last_run_duration_seconds 0.0")
                .contains("etcd_gitops_last_run_timestamp_seconds 1.793502E9")
                .contains("etcd_gitops_last_look_timestamp_seconds 1.7935020015E9");
    }

    @Test
    void replacesFileAndReportsFailure(@TempDir Path folder) throws Exception {
        var file = folder.resolve("etcd-gitops.prom");
        Files.writeString(file, "a longer text that was there before\n");

        assertThat(MetricsOut.toFile("m 1\n", file)).isEmpty();

        assertThat(file).hasContent("m 1");
        assertThat(folder).isDirectoryContaining(p -> p.equals(file));
        assertThat(MetricsOut.toFile("m 1\n", folder.resolve("missing/file")))
                .hasValueSatisfying(why -> assertThat(why).contains("NoSuchFileException"));
    }

    static final List<String> TEXTS = Hostile.TEXTS;

    @ParameterizedTest
    @FieldSource("TEXTS")
    void noLabelActsOrBeginsALine(String text) {
        var ring = ClusterPlan.rejected(new ClusterRef(text, text), List.of());
        var event =
                new StepEvent(text, text, new MemberStep.AwaitGreen(), new StepResult.Done(text), BEGAN, Duration.ZERO);
        metrics.record(new RunFigures(
                Optional.of(new FleetPlan(text, text, text, List.of(ring), List.of())),
                List.of(new ClusterResult(new ClusterRef(text, text), Outcome.DONE, text, List.of(event))),
                text,
                BEGAN,
                Duration.ZERO,
                new TreeMap<>(Map.of("list " + text, 2L))));

        String page = metrics.scrape();

        Hostile.assertInert("metrics", page);
        assertThat(page.lines()).allMatch(line -> line.startsWith("etcd_gitops_") || line.matches("# (HELP|TYPE) .*"));
        assertThat(page).contains("etcd_gitops_runs_total{environment=\"");
    }
}
