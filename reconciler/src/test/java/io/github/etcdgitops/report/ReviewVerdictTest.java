package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.ReviewVerdict.Result;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Quorum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewVerdictTest {
    private static final Path PLANS = Path.of("src/test/resources/golden/plans");

    private static String plan(String violations, String... rings) {
        return "{\"kind\":\"Plan\",\"formatVersion\":\"1.7\",\"violations\":[" + violations + "],\"clusters\":["
                + String.join(",", rings) + "]}";
    }

    private static String ring(String situation, String... verdicts) {
        return "{\"situation\":\"" + situation + "\",\"operations\":["
                + Stream.of(verdicts)
                        .map(v -> v.split(" ", -1))
                        .map(v -> "{\"verdict\":{\"result\":\"%s\",\"rule\":\"%s\"}}".formatted(v[0], v[1]))
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private static ReviewVerdict of(String json) {
        return ReviewVerdict.ofPlan(json).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "in-sync; nothing changes",
                "scale-out; 1 ring changes",
                "feature-rollout; 3 rings change",
                "scale-in-needs-approval; 1 ring changes, 1 waits for approval",
                "held; 1 held, nothing changes"
            })
    void readsGoldenPlans(String golden, String line) throws IOException {
        var verdict = of(Files.readString(PLANS.resolve(golden + ".json")));

        assertThat(verdict).isEqualTo(new ReviewVerdict(Result.GOOD, line));
    }

    @Test
    void wrongDocumentsAndRefusalsAreBad() {
        assertThat(of(plan("{},{}", ring("in sync"))))
                .isEqualTo(new ReviewVerdict(Result.INVALID, "2 violations, nothing changes"));
        assertThat(of(plan("", ring("rejected"), ring("unknown"))))
                .isEqualTo(new ReviewVerdict(
                        Result.INVALID, "1 ring rejected, 1 ring could not be read, nothing changes"));
        assertThat(of(plan("", ring("changes", "deny max-risk", "hold approval"), ring("changes", "hold approval"))))
                .isEqualTo(new ReviewVerdict(Result.DENIED, "1 ring denied, 2 rings change, 2 wait for approval"));
    }

    /// `validate` refuses the document, whether there is anything to change in the ring or not.
    @Test
    void reportsDenialEvenIfNothingChanges() {
        var denied =
                Finding.ofRule(Finding.Level.ERROR, "version-allowlist", "etcd 3.5.9 is blocked", Finding.Fault.POLICY);
        var held = Finding.ofRule(Finding.Level.ERROR, "odd-members", "size 4 is none of 3, 5");
        for (var finding : List.of(denied, held)) {
            var ring = new ClusterPlan(
                    new ClusterRef("demo", "orders"),
                    ClusterPlan.Situation.IN_SYNC,
                    new Quorum(3, 3),
                    List.of(),
                    List.of(),
                    List.of(finding),
                    new TreeMap<>());
            var plan = new FleetPlan("default", "digest", "0", List.of(ring), List.of());

            assertThat(of(PlanJson.render(plan)))
                    .isEqualTo(
                            finding.denies()
                                    ? new ReviewVerdict(Result.DENIED, "1 ring denied, nothing changes")
                                    : new ReviewVerdict(Result.GOOD, "nothing changes"));
        }
    }

    /// A green sign over a plan that is not whole would be a lie.
    @Test
    void reportsUnknownIfRingCouldNotBeRead() {
        assertThat(of(plan("", ring("unknown"), ring("changes", "allow x"))))
                .isEqualTo(new ReviewVerdict(Result.UNKNOWN, "1 ring could not be read, 1 ring changes"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "{\"kind\":\"Run\",\"formatVersion\":\"1.0\",\"clusters\":[]}",
                "{\"kind\":\"Plan\",\"formatVersion\":\"2.0\",\"clusters\":[]}",
                "{\"kind\":\"Plan\",\"formatVersion\":\"1.0\"}"
            })
    void findsNoVerdictWithoutPlan(String text) {
        assertThat(ReviewVerdict.ofPlan(text)).isEmpty();
    }
}
