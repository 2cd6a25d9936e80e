package io.github.etcdgitops.plan.begin;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeForeign;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Suspension;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// What is said of a ring that somebody else has made, before anything of it is changed.
class AdoptingTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private static FakeWorld foreign(Consumer<Given> more) {
        var given = Given.ring("demo", "orders").byHand(Faults::foreignize);
        more.accept(given);
        return given.build();
    }

    private static FakeWorld foreign() {
        return foreign(_ -> {});
    }

    private static String clusterId(FakeWorld world) {
        return Reading.observer(world)
                .foreign(ORDERS)
                .ring()
                .optional()
                .orElseThrow()
                .clusterId()
                .toString();
    }

    private static ClusterPlan plan(FakeWorld world, EtcdClusterSpec spec) {
        return Planner.plan(spec, fresh(world, spec), BackupNeeds.NONE, NOW);
    }

    private static ClusterPlan adopting(FakeWorld world, EtcdClusterSpec spec) {
        return plan(world, FakeForeign.adopting(spec, clusterId(world)));
    }

    private static List<String> of(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(f -> f.code().equals(code))
                .map(Finding::message)
                .toList();
    }

    private static List<String> errors(ClusterPlan plan) {
        return plan.findings().stream()
                .filter(f -> f.level() == Level.ERROR)
                .map(Finding::code)
                .distinct()
                .toList();
    }

    @Test
    void leavesAForeignRingAloneUnlessAsked() {
        var plan = plan(foreign(), spec(3));

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(of(plan, "foreign-statefulset"))
                .singleElement()
                .asString()
                .contains("etcd-gitops adopt demo/orders");
    }

    @Test
    void createsNothingIfRingToAdoptIsMissing() {
        var plan = plan(Given.absent("demo", "orders").build(), FakeForeign.adopting(spec(3), "cdf818194e3a8c32"));

        assertThat(plan.operations()).isEmpty();
        assertThat(errors(plan)).containsExactly("nothing-to-adopt");
    }

    @Test
    void provesEachMemberAndEachSetting() {
        var plan = adopting(foreign(), spec(3));

        assertThat(of(plan, "adopt-differs")).isEmpty();
        assertThat(of(plan, "adopt-refused")).isEmpty();
        assertThat(of(plan, "adopt-same"))
                .anySatisfy(text -> assertThat(text).contains("the cluster ID is"))
                .anySatisfy(text -> assertThat(text).contains("/spec/version is 3.5.16"))
                .anySatisfy(text -> assertThat(text)
                        .contains("orders-2 is member")
                        .contains("http://orders-2.orders-headless.demo.svc.cluster.local:2380")
                        .contains("datadir-orders-2"));
    }

    @Test
    void saysTheSameOfTheSameRing() {
        var world = foreign();

        assertThat(adopting(world, spec(3))).isEqualTo(adopting(world, spec(3)));
    }

    @Test
    void refusesAnotherRingOfTheSameName() {
        var plan = plan(foreign(), FakeForeign.adopting(spec(3), "1"));

        assertThat(of(plan, "adopt-refused")).singleElement().asString().contains("/spec/adopt/clusterId is 1");
        assertThat(plan.situation()).isEqualTo(Situation.HELD);
    }

    @Test
    void namesTheLineForWhateverTheDocumentSaysOtherwise() {
        var world = foreign();

        assertThat(of(adopting(world, spec(5)), "adopt-differs"))
                .singleElement()
                .asString()
                .contains("write `size: 3`");
        assertThat(of(adopting(world, spec(3, "3.5.17")), "adopt-differs"))
                .singleElement()
                .asString()
                .contains("write `version: \"3.5.16\"`");
        assertThat(of(adopting(world, Reading.stored(spec(3), new Storage("2Gi", Optional.empty()))), "adopt-differs"))
                .singleElement()
                .asString()
                .contains("write `size: 1Gi`");
        assertThat(of(adopting(world, Specs.withOption(spec(3), "snapshotCount", 5000L)), "adopt-differs"))
                .singleElement()
                .asString()
                .contains("/spec/etcd/snapshotCount is 5000")
                .contains("leave it out");
        var mutual = new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL);
        assertThat(of(adopting(world, Specs.talking(spec(3), mutual)), "adopt-differs"))
                .singleElement()
                .asString()
                .contains("/spec/tls");
    }

    @Test
    void refusesUnhealthyRing() {
        assertThat(of(adopting(foreign(g -> g.alarm(Alarm.Kind.NOSPACE, 1)), spec(3)), "adopt-refused"))
                .anySatisfy(text -> assertThat(text).contains("alarm NOSPACE"));
        assertThat(of(adopting(foreign(g -> g.down(2)), spec(3)), "adopt-refused"))
                .anySatisfy(text -> assertThat(text).contains("is not healthy"));
        assertThat(of(adopting(foreign(g -> g.foreignMember("http://elsewhere:2380")), spec(3)), "adopt-refused"))
                .anySatisfy(text -> assertThat(text).contains("4 members"));
    }

    @Test
    void refusesWhereANameThatTheRingNeedsIsTaken() {
        var world = foreign(g -> g.byHand(f -> {
            f.restore(ManagedObject.PEER_SERVICE);
            f.takeOver(ManagedObject.PEER_SERVICE);
        }));

        assertThat(of(adopting(world, spec(3)), "adopt-refused"))
                .singleElement()
                .asString()
                .contains("peer service");
    }

    /// Until it is restarted, a member is found by the name that the former Service gives it.
    @Test
    void refusesPodsThatTheirServiceWouldLose() {
        var world = foreign();
        var spec = FakeForeign.adopting(spec(3), clusterId(world));
        var seen = fresh(world, spec);

        var plan = Planner.plan(
                spec,
                with(
                        seen,
                        f -> new Foreign(
                                f.set(),
                                f.template(),
                                FakeForeign.labelled(f.pods(), "app.kubernetes.io/instance", "release"),
                                f.claims(),
                                f.taken())),
                BackupNeeds.NONE,
                NOW);

        assertThat(of(plan, "adopt-refused")).hasSize(3).allMatch(text -> text.contains("would lose the member"));
    }

    @Test
    void refusesWhatAShellMakesOfItAndMoreContainersThanOne() {
        var world = foreign();
        var spec = FakeForeign.adopting(spec(3), clusterId(world));
        var seen = fresh(world, spec);
        var etcd = seen.foreign()
                .optional()
                .flatMap(f -> f)
                .orElseThrow()
                .template()
                .containers()
                .getFirst();
        var shell = new Foreign.Container(
                etcd.image(),
                List.of("/bin/sh", "-c"),
                List.of("exec etcd"),
                etcd.environment(),
                false,
                etcd.mounts(),
                etcd.resources());

        assertThat(refusals(spec, seen, List.of(shell)))
                .anyMatch(text -> text.contains("does not start etcd directly"));
        assertThat(refusals(spec, seen, List.of(etcd, shell))).anyMatch(text -> text.contains("2 containers"));
    }

    private static List<String> refusals(EtcdClusterSpec spec, ClusterState seen, List<Foreign.Container> containers) {
        var state = with(
                seen,
                f -> new Foreign(
                        f.set(),
                        new Foreign.Template(
                                f.template().labels(),
                                containers,
                                0,
                                f.template().pod()),
                        f.pods(),
                        f.claims(),
                        f.taken()));
        return of(Planner.plan(spec, state, BackupNeeds.NONE, NOW), "adopt-refused");
    }

    private static ClusterState with(ClusterState seen, UnaryOperator<Foreign> change) {
        return new ClusterState(
                        seen.ref(), seen.kube(), seen.ring(), seen.drift(), seen.templateWanted(), seen.classes())
                .withForeign(seen.foreign().map(f -> f.map(change)));
    }

    @Test
    void saysNothingOfARingThatCannotBeRead() {
        var world = foreign(g -> g.down(0, 1, 2));
        var plan = plan(world, FakeForeign.adopting(spec(3), "1"));

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(errors(plan)).containsExactly("ring-unknown");
    }

    @Test
    void restsWhileStopped() {
        var stop = new Suspension("moving house", "ann", Optional.empty());
        var plan = plan(foreign(), Reading.suspended(spec(3), stop));

        assertThat(plan.situation()).isEqualTo(Situation.SUSPENDED);
    }
}
