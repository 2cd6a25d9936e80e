package io.github.etcdgitops.observe;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.Manifests;
import io.github.etcdgitops.gateway.kube.write.KubernetesManifests;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OfflineObservationTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Transport MUTUAL = new Transport(Mode.MUTUAL, Mode.MUTUAL);

    private static OfflineObservation of(Manifests manifests, EtcdClusterSpec... rings) {
        return new OfflineObservation(manifests, List.of(rings), _ -> Optional.empty());
    }

    private static ClusterPlan plan(OfflineObservation rings, EtcdClusterSpec wanted) {
        return Planner.plan(wanted, rings.fresh(wanted), BackupNeeds.NONE, NOW);
    }

    private static List<String> ids(ClusterPlan plan) {
        return plan.operations().stream()
                .map(o -> o.operation().kind() + " " + o.operation().id())
                .toList();
    }

    private static List<String> actions(ClusterPlan plan) {
        return plan.operations().stream()
                .flatMap(o -> o.steps().stream())
                .map(step -> step.texts().action())
                .toList();
    }

    static Stream<EtcdClusterSpec> rings() {
        return Stream.of(
                spec(1),
                spec(2),
                spec(3),
                spec(9),
                spec(3, "3.3.25"),
                spec(3, "3.4.23"),
                Specs.withResources(spec(3)),
                Specs.withOption(spec(3), "quotaBackendBytes", 536870912),
                Specs.withStorage(spec(3), "20Gi"),
                Specs.secured(spec(3), new Tls(MUTUAL, Tls.Issuer.BUILT_IN, Tls.YEAR)),
                Specs.secured(spec(3), new Tls(MUTUAL, Tls.Issuer.SECRET, Tls.YEAR)),
                Specs.withAuthority(spec(3), MUTUAL, 2),
                Specs.talking(spec(3), new Transport(Mode.PLAIN, Mode.MIXED)),
                Specs.repairing(spec(5), Repairs.Mode.AUTOMATIC),
                Specs.labelled(spec(3), Map.of("tier", "gold")));
    }

    @ParameterizedTest
    @MethodSource("rings")
    void aRingThatIsWhatItsDocumentSaysIsInSync(EtcdClusterSpec ring) {
        var plan = plan(of(new KubernetesManifests(), ring), ring);

        assertThat(actions(plan)).isEmpty();
        assertThat(plan.situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(plan.findings()).noneMatch(f -> f.level() != io.github.etcdgitops.ring.Finding.Level.NOTE);
    }

    /// It is not compared, because a comparison shows the same.
    @ParameterizedTest
    @MethodSource("rings")
    void comparisonOfAnUnchangedRingShowsNothing(EtcdClusterSpec ring) {
        var manifests = new KubernetesManifests();
        var state = of(manifests, ring).fresh(ring);

        var compared = new Comparison(manifests)
                .of(ring.ref(), state.kube(), state.ring(), Optional.of(ring), state.classes());

        assertThat(compared).isEqualTo(state);
    }

    static Stream<UnaryOperator<EtcdClusterSpec>> changes() {
        return Stream.of(
                s -> sized(s, 1),
                s -> sized(s, 5),
                s -> Specs.with(s, spec(3, "3.5.21").server()),
                Specs::withResources,
                Specs::withImage,
                s -> Specs.withStorage(s, "2Gi"),
                s -> Specs.withOption(s, "quotaBackendBytes", 536870912),
                s -> Specs.secured(s, new Tls(MUTUAL, Tls.Issuer.BUILT_IN, Tls.YEAR)),
                s -> Specs.withResources(sized(Specs.with(s, spec(3, "3.5.21").server()), 5)));
    }

    private static EtcdClusterSpec sized(EtcdClusterSpec s, int size) {
        return new EtcdClusterSpec(
                s.ref(), size, s.server(), s.storage(), s.podTemplate(), s.network(), s.declaration());
    }

    /// The same operations, by the same ids, in the same steps as where the ring itself is looked at.
    @ParameterizedTest
    @MethodSource("changes")
    void offlinePlanEqualsPlanOfRealRing(UnaryOperator<EtcdClusterSpec> change) {
        var before = spec(3);
        var after = change.apply(before);
        var world = Given.ring("demo", "orders").members(3).build();
        world.tick();

        var real = Planner.plan(after, Reading.fresh(world, after), BackupNeeds.NONE, NOW);
        var imagined = plan(of(world.kubernetes(), before), after);

        assertThat(real.operations()).isNotEmpty();
        assertThat(ids(imagined)).isEqualTo(ids(real));
        assertThat(actions(imagined)).isEqualTo(actions(real));
        assertThat(imagined.situation()).isEqualTo(real.situation());
    }

    @Test
    void createsMissingRing() {
        assertThat(ids(plan(of(new KubernetesManifests()), spec(3))))
                .singleElement()
                .asString()
                .startsWith("BootstrapCluster");
    }

    @Test
    void unknownIsNotAbsent() {
        var rings = new OfflineObservation(new KubernetesManifests(), List.of(), _ -> Optional.of("nobody knows"));

        var plan = plan(rings, spec(3));

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(plan.operations()).isEmpty();
        assertThat(rings.orphan(ORDERS).kube().unknownParts()).containsExactly("nobody knows");
    }
}
