package io.github.etcdgitops.pipeline;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.write.KubernetesManifests;
import io.github.etcdgitops.observe.OfflineObservation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.page.FleetPage;
import io.github.etcdgitops.report.table.StatusTable;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.Namespaces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a reader of a plan learns first while nothing may be changed.
class SuspensionsTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final String REASON = "all changes are suspended by the annotation on namespace etcd-gitops: fire";

    private static FleetPlan plan(Supplier<Optional<String>> pressed) {
        var desired = new DesiredState(
                Fleet.DEFAULT,
                new TreeMap<>(Map.of(ORDERS, spec(5))),
                List.of(),
                Protection.NONE,
                new TreeSet<>(),
                List.of(),
                "digest");
        return new FleetView(
                        new OfflineObservation(new KubernetesManifests(), List.of(spec(3)), _ -> Optional.empty()),
                        place -> {
                            throw new AssertionError("nothing is to be read at " + place.title());
                        },
                        InstantSource.fixed(NOW),
                        "test",
                        new Suspensions(new Namespaces(List.of()), pressed),
                        Optional::empty,
                        Optional::empty)
                .plan(desired, Fleet.DEFAULT_ENVIRONMENT);
    }

    static Stream<String> forms() {
        var plan = plan(() -> Optional.of(REASON));
        return Stream.of(
                new Human(Style.PLAIN).plan(plan).toString(),
                Markdown.whole(plan),
                Markdown.table(plan),
                PlanJson.render(plan),
                FleetPage.of(plan, NOW).html(),
                StatusTable.of(List.of(), plan).human(Style.PLAIN).toString(),
                StatusTable.of(List.of(), plan).json());
    }

    @ParameterizedTest
    @MethodSource("forms")
    void saysThatAllIsStoppedAndCallsNothingAllowed(String form) {
        assertThat(form).contains("Stopped: all changes are suspended").doesNotContain("allowed", "\"allow\"");
    }

    @Test
    void holdsEveryOperationWhileAllIsStopped() {
        assertThat(plan(() -> Optional.of(REASON)).clusters().getFirst().operations())
                .isNotEmpty()
                .allSatisfy(planned ->
                        assertThat(planned.verdict()).isEqualTo(new Verdict.Hold(FindingCode.STOPPED.wire(), REASON)));
    }

    @Test
    void holdsNothingWithoutStop() {
        var plan = plan(Optional::empty);

        assertThat(plan.findings()).isEmpty();
        assertThat(plan.clusters().getFirst().operations())
                .isNotEmpty()
                .allSatisfy(planned -> assertThat(planned.verdict()).isEqualTo(new Verdict.Allow()));
    }

    /// Whoever only plans may have no right to read it.
    @Test
    void warnsWhereTheAnnotationCannotBeRead() {
        var plan = plan(() -> {
            throw new GatewayException(GatewayException.Kind.UNREACHABLE, false, "no way");
        });

        assertThat(plan.findings()).extracting(Finding::code).containsExactly("stop-unknown");
    }
}
