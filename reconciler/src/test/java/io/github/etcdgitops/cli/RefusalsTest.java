package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Refusals;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.ClusterPlan.Waiting;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Quorum;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalsTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    @ParameterizedTest
    @EnumSource
    void heldAndSuspendedRingsAreDeferred(Situation situation) {
        boolean deferred = situation == Situation.HELD || situation == Situation.SUSPENDED;

        assertThat(code(plan(situation, List.of(), List.of())) == ExitCode.DEFERRED)
                .isEqualTo(deferred);
    }

    /// A ring that cannot be read may stay so for days; the report and the metrics tell of it.
    @Test
    void retriesUnknownRingUnlessOnlyErrorsFail() {
        var failing = new Options.FailingOnRings();
        var plan = new FleetPlan(
                "default", "digest", "tool", List.of(plan(Situation.UNKNOWN, List.of(), List.of())), List.of());

        assertThat(Refusals.of(plan, failing)).isEqualTo(ExitCode.TEMPORARY);
        failing.failing.failOn = Options.FailOn.ERROR;
        assertThat(Refusals.of(plan, failing)).isEqualTo(ExitCode.SUCCESS);
    }

    @Test
    void waitingChangeIsDeferred() {
        var waiting = List.of(new Waiting("scale out", "the ring is not green"));

        assertThat(code(plan(Situation.CHANGES, List.of(), waiting))).isEqualTo(ExitCode.DEFERRED);
    }

    @Test
    void defersHeldOperationButNotAllowedOne() {
        var operation = new ScaleIn(REF, 2, false);
        var held = new PlannedOperation(operation, List.of(), new Verdict.Hold("approval", "none"));
        var allowed = new PlannedOperation(operation, List.of(), new Verdict.Allow());

        assertThat(code(plan(Situation.CHANGES, List.of(held), List.of()))).isEqualTo(ExitCode.DEFERRED);
        assertThat(code(plan(Situation.CHANGES, List.of(allowed), List.of()))).isEqualTo(ExitCode.SUCCESS);
    }

    @Test
    void defersNothingWithoutTheOption() {
        var plan = new FleetPlan(
                "default", "digest", "tool", List.of(plan(Situation.HELD, List.of(), List.of())), List.of());

        assertThat(Refusals.of(plan, new Options.FailingOnRings())).isEqualTo(ExitCode.SUCCESS);
    }

    private static ClusterPlan plan(Situation situation, List<PlannedOperation> operations, List<Waiting> waiting) {
        return new ClusterPlan(REF, situation, new Quorum(3, 3), operations, waiting, List.of(), new TreeMap<>());
    }

    private static ExitCode code(ClusterPlan ring) {
        var failing = new Options.FailingOnRings();
        failing.failOnDeferred = true;
        failing.failing.failOn = Options.FailOn.ERROR;
        return Refusals.of(new FleetPlan("default", "digest", "tool", List.of(ring), List.of()), failing);
    }
}
