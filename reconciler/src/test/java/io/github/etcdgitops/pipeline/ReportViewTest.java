package io.github.etcdgitops.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A ring whose plan cannot be written down is that ring's failure: the others are shown and changed.
class ReportViewTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final ClusterRef BROKEN = new ClusterRef("demo", "r1");

    private static FleetPlan fleet(String message) {
        var rings = Stream.of("r0", "r1", "r2")
                .map(name -> ClusterPlan.rejected(
                        new ClusterRef("demo", name),
                        List.of(new Finding(
                                Finding.Level.ERROR,
                                FindingCode.DOCUMENT_REJECTED,
                                name.equals("r1") ? message : name))))
                .toList();
        return new FleetPlan("prod", "sha256:0123456789abcdef", "test", rings, List.of());
    }

    @Test
    void leavesAPlanThatCanBeShownAsItIs() {
        var plan = fleet("well");

        assertThat(ReportView.tried(plan, NOW)).isSameAs(plan);
    }

    /// A message that is missing, which no form expects.
    @Test
    void failsTheRingThatNoFormCanShow() {
        var shown = ReportView.tried(fleet(null), NOW);

        assertThat(shown.clusters())
                .filteredOn(ring -> ring.internalError().isPresent())
                .extracting(ClusterPlan::ref)
                .containsExactly(BROKEN);
        assertThat(Markdown.whole(shown)).contains("internal error in ring demo/r1", "demo/r0", "demo/r2");
    }

    static Stream<Supplier<Error>> errors() {
        return Stream.of(
                () -> new StackOverflowError("deep"),
                () -> new NoClassDefFoundError("x"),
                () -> new AssertionError("x"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void failsTheRingWhoseFormThrowsAnError(Supplier<Error> error) {
        var shown = ReportView.tried(fleet("well"), plan -> {
            if (plan.clusters().stream()
                    .anyMatch(r -> r.ref().equals(BROKEN) && r.internalError().isEmpty())) {
                throw error.get();
            }
        });

        assertThat(shown.clusters())
                .filteredOn(ring -> ring.internalError().isPresent())
                .extracting(ClusterPlan::ref)
                .containsExactly(BROKEN);
    }

    @Test
    void endsTheRunWhereMemoryIsUsedUp() {
        assertThatThrownBy(() -> ReportView.tried(fleet("well"), _ -> {
                    throw new OutOfMemoryError();
                }))
                .isInstanceOf(OutOfMemoryError.class);
    }
}
