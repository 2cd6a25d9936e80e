package io.github.etcdgitops.plan;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.membership.RepairObjects;
import io.github.etcdgitops.spec.ring.DriftHandling;
import io.github.etcdgitops.spec.ring.DriftHandling.Field;
import io.github.etcdgitops.spec.ring.DriftHandling.Mode;
import io.github.etcdgitops.spec.ring.DriftObject;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What becomes of what somebody has changed by hand.
class ManualDriftTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static DriftHandling policy(Field... fields) {
        return new DriftHandling(List.of(fields));
    }

    private static Field field(DriftObject object, String pointer, Mode mode) {
        return new Field(object, pointer, mode);
    }

    private static EtcdClusterSpec ruled(DriftHandling... policies) {
        return spec(3).leaving(List.of(policies));
    }

    private static ClusterState changed(ManagedObject object, String... pointers) {
        return fresh(Given.ring("demo", "orders").build(), spec(3))
                .drifting(List.of(new ObjectDrift(object, List.of(pointers))));
    }

    private static ClusterPlan plan(EtcdClusterSpec spec, ClusterState state) {
        return Planner.plan(spec, state, BackupNeeds.NONE, NOW);
    }

    @Test
    void correctsDriftThatNoPolicyNames() {
        var state = changed(ManagedObject.CLIENT_SERVICE, "/spec/type");

        for (var spec : List.of(spec(3), ruled(policy(field(DriftObject.CONNECTION, "", Mode.IGNORE))))) {
            assertThat(plan(spec, state).operations())
                    .singleElement()
                    .satisfies(o -> assertThat(o.operation()).isInstanceOf(RepairObjects.class));
            assertThat(ManualDrift.of(spec, state).told()).isEmpty();
        }
    }

    @Test
    void ringWithToleratedDriftIsInSync() {
        var state = changed(ManagedObject.CLIENT_SERVICE, "/spec/type", "/spec/ports/0/nodePort");

        for (var mode : List.of(Mode.REPORT, Mode.IGNORE)) {
            var ruled = ruled(policy(field(DriftObject.CLIENT_SERVICE, "", mode)));
            var plan = plan(ruled, state);

            assertThat(plan.situation()).isEqualTo(Situation.IN_SYNC);
            assertThat(plan.operations()).isEmpty();
            assertThat(plan.findings()).isEmpty();
            assertThat(plan.fingerprint()).isEqualTo(plan(spec(3), state).fingerprint());
            assertThat(ManualDrift.of(ruled, state).told()).hasSize(mode == Mode.REPORT ? 1 : 0);
        }
    }

    /// What safety hangs on, whatever a policy says; an object that is gone as well.
    @ParameterizedTest
    @CsvSource({
        "CLIENT_SERVICE, /spec/selector/app",
        "CLIENT_SERVICE, /spec/selector",
        "CLIENT_SERVICE, /spec",
        "CLIENT_SERVICE, /metadata/labels/app",
        "NETWORK_POLICY, /spec/ingress/0/ports/0",
        "NETWORK_POLICY, /spec/ingress/1/from/2",
        "NETWORK_POLICY, /spec/ingress",
        "NETWORK_POLICY, /spec/podSelector/matchLabels/x",
        "NETWORK_POLICY, /spec/policyTypes/1",
        "CONNECTION, /data/ca.crt",
        "CONNECTION, /data/memberEndpoints",
        "CONNECTION, /data",
        "PEER_SERVICE, /spec/ports/0",
        "BUDGET, /spec/minAvailable",
        "STATEFUL_SET_LABELS, /metadata/labels/x",
    })
    void correctsSafetyCriticalDriftDespitePolicy(ManagedObject object, String pointer) {
        var everything = policy(Stream.of(DriftObject.values())
                .map(o -> field(o, "", Mode.IGNORE))
                .toArray(Field[]::new));

        assertThat(plan(ruled(everything), changed(object, pointer)).operations())
                .hasSize(1);
        assertThat(plan(ruled(everything), changed(object)).operations())
                .as("it is gone")
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "CLIENT_SERVICE, /spec/type",
        "CLIENT_SERVICE, /spec/ports/0/port",
        "NETWORK_POLICY, /spec/ingress/3",
        "NETWORK_POLICY, /spec/ingress/11",
        "CONNECTION, /data/note",
    })
    void keepsDriftThatPolicyMayIgnore(ManagedObject object, String pointer) {
        var ruled = ruled(policy(field(ManualDrift.named(object), "", Mode.IGNORE)));

        assertThat(plan(ruled, changed(object, pointer)).situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void longestPointerWinsAndStrictestPolicyCounts() {
        var state = changed(ManagedObject.CLIENT_SERVICE, "/spec/type");
        var ignoring = policy(
                field(DriftObject.CLIENT_SERVICE, "", Mode.CORRECT),
                field(DriftObject.CLIENT_SERVICE, "/spec/type", Mode.IGNORE));
        var telling = policy(field(DriftObject.CLIENT_SERVICE, "/spec", Mode.REPORT));
        var correcting = policy(field(DriftObject.CLIENT_SERVICE, "", Mode.CORRECT));

        assertThat(ManualDrift.of(ruled(ignoring), state).left()).hasSize(1);
        assertThat(ManualDrift.of(ruled(ignoring, telling), state).told()).hasSize(1);
        assertThat(ManualDrift.of(ruled(telling, ignoring), state).told()).hasSize(1);
        assertThat(ManualDrift.of(ruled(ignoring, correcting, telling), state).corrected())
                .hasSize(1);
        assertThat(ManualDrift.of(ruled(policy(field(DriftObject.CLIENT_SERVICE, "/spec/typ", Mode.IGNORE))), state)
                        .corrected())
                .as("half a name is none")
                .hasSize(1);
    }

    /// What is written is written as a whole, and nobody is surprised by it.
    @Test
    void planNamesManualChangesThatAreOverwritten() {
        var ruled = ruled(policy(field(DriftObject.CLIENT_SERVICE, "/spec/type", Mode.IGNORE)));

        var plan = plan(ruled, changed(ManagedObject.CLIENT_SERVICE, "/spec/type", "/spec/selector/app"));

        assertThat(plan.operations()).hasSize(1);
        assertThat(plan.findings()).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo("drift-overwritten");
            assertThat(f.message())
                    .contains(
                            "RepairObjects "
                                    + plan.operations().getFirst().operation().id(),
                            "client service")
                    .contains("/spec/type")
                    .doesNotContain("/spec/selector");
        });
        var grows = Planner.plan(
                spec(4).leaving(List.of(policy(field(DriftObject.CONNECTION, "", Mode.IGNORE)))),
                changed(ManagedObject.CONNECTION, "/data/note"),
                BackupNeeds.NONE,
                NOW);
        assertThat(grows.findings()).extracting(Finding::code).contains("drift-overwritten");
        assertThat(grows.ref()).isEqualTo(ORDERS);
    }
}
