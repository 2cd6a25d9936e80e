package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.worlds.Case.Expect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Rings at rest to which somebody did something by hand.
final class ByHand {
    private final List<Case> cases;
    private final String version;
    private final int members;
    private final int size;

    private ByHand(List<Case> cases, String version, int members, int size) {
        this.cases = cases;
        this.version = version;
        this.members = members;
        this.size = size;
    }

    static List<Case> all() {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            for (int members = 1; members <= Worlds.LARGEST; members++) {
                for (int size = 1; size <= Worlds.LARGEST; size++) {
                    var by = new ByHand(cases, version, members, size);
                    by.scaled();
                    by.objects();
                    by.membership();
                    by.notes();
                    by.files();
                    by.trouble();
                }
            }
        }
        return cases;
    }

    private void given(String what, UnaryOperator<Given> deed, Expect expect) {
        world(what, deed, _ -> {}, expect);
    }

    /// `after` is done through the gateways of a made world.
    private void world(String what, UnaryOperator<Given> deed, Consumer<FakeWorld> after, Expect expect) {
        var name = members + " members on " + version + ", " + size + " wanted, " + what;
        cases.add(new Case(
                name,
                () -> {
                    var world = deed.apply(Worlds.ring().version(version).members(members))
                            .build();
                    after.accept(world);
                    return world;
                },
                Given.spec(Play.REF, size, version),
                expect));
    }

    private Expect mended() {
        return Worlds.growsOrHeld(members, size, version, new Expect.Converges());
    }

    private static Expect frozen(String code) {
        return new Expect.Frozen(Situation.HELD, code);
    }

    private void scaled() {
        given("scaled up", g -> g.scaledByHand(members + 1), mended());
        given("scaled up by two", g -> g.scaledByHand(members + 2), mended());
        if (members > 1) {
            given("scaled down", g -> g.scaledByHand(members - 1), mended());
        }
        given("scaled to nothing", g -> g.scaledByHand(0), new Expect.Safe());
        given("unpinned", g -> g.partitionByHand(0), mended());
        given("pinned too high", g -> g.partitionByHand(members + 3), mended());
        given(
                "a template",
                g -> g.byHand(f -> f.templateByHand(EtcdVersion.parse("3.5.30").orElseThrow())),
                frozen("roll-in-progress"));
        given(
                "half a roll",
                g -> g.byHand(f -> f.templateByHand(EtcdVersion.parse("3.5.30").orElseThrow()))
                        .partitionByHand(members - 1)
                        .byHand(f -> f.stop(0)),
                new Expect.Frozen(
                        members <= 2 ? Situation.UNKNOWN : Situation.HELD,
                        members <= 2 ? "ring-unknown" : "roll-in-progress"));
    }

    private void objects() {
        given("budget 0", g -> g.budgetByHand(0), mended());
        given("budget 9", g -> g.budgetByHand(9), mended());
        for (var object : ManagedObject.values()) {
            if (object != ManagedObject.STATEFUL_SET_LABELS) {
                given("no " + object, g -> g.without(object), mended());
                given("other " + object, g -> g.byHand(f -> f.change(object, Map.of("ring", "x"))), mended());
                given("foreign " + object, g -> g.byHand(f -> f.takeOver(object)), new Expect.Safe());
            }
        }
        given("foreign StatefulSet", g -> g.byHand(f -> f.takeOverStatefulSet()), frozen("foreign-statefulset"));
        given(
                "foreign claim of an earlier ring",
                g -> g.claimsLeft().byHand(f -> f.takeOverClaim(0)),
                frozen("claims-of-an-earlier-ring"));
        given(
                "suspended",
                g -> g.byHand(f -> f.suspend("on call")),
                new Expect.Frozen(Situation.SUSPENDED, "suspended"));
    }

    private void membership() {
        given("a foreign member", g -> g.foreignMember("http://elsewhere:2380"), frozen("foreign-member"));
        if (members > 1) {
            given(
                    "the last removed",
                    g -> g.removedByHand(members - 1),
                    Worlds.growsOrHeld(members - 1, size, version, new Expect.Converges()));
            given("the first removed", g -> g.removedByHand(0), new Expect.Asks("member-gap"));
        }
        if (!version.startsWith("3.3") && members < Worlds.LARGEST) {
            world("a learner added", g -> g, this::addLearner, frozen("foreign-learner"));
        }
        if (members > 2) {
            given("one runs 3.3", g -> g.memberVersion(1, "3.3.25"), new Expect.Converges());
        }
    }

    private void addLearner(FakeWorld world) {
        var pods = world.kubernetes().read(Play.REF, 9).pods().optional().orElseThrow();
        var route = world.access().open(Play.REF, 0, pods.get(0).ip().orElseThrow(), MemberAccess.Door.CLIENT);
        world.etcd().addLearner(route, "http://" + Play.REF.memberHost(members) + ":2380", Duration.ofSeconds(2));
        world.tick(2);
    }

    private void notes() {
        given("no journal", g -> g.byHand(f -> f.deleteJournal()), frozen("journal-missing"));
        world(
                "another cluster id noted",
                g -> g,
                w -> note(w, j -> j.withClusterId(new EtcdId(7))),
                frozen("cluster-id-changed"));
        world(
                "another member id noted",
                g -> g,
                w -> note(
                        w,
                        j -> j.withMember(
                                0,
                                new Journal.Member(
                                        j.members().get(0).incarnation(),
                                        Optional.of(new EtcdId(7)),
                                        Optional.empty()))),
                frozen("member-id-changed"));
        if (members < 4) {
            world(
                    "a join two further noted",
                    g -> g,
                    w -> note(w, j -> j.withIntent(Optional.of(new Intent(Intent.Kind.JOIN, members + 1, "x", 1)))),
                    frozen("unexpected-members"));
        }
    }

    private static void note(FakeWorld world, UnaryOperator<Journal> change) {
        var read = world.kubernetes()
                .read(Play.REF, 9)
                .journal()
                .optional()
                .orElseThrow()
                .orElseThrow();
        world.kubernetes().writeJournal(Play.REF, change.apply(read.journal()), Optional.of(read.resourceVersion()));
    }

    private void files() {
        int last = members - 1;
        world("the last unsealed", g -> g, w -> file(w, last, Optional.of(joining(w, last))), mended());
        world("the last without a file", g -> g, w -> file(w, last, Optional.empty()), mended());
        if (members < Worlds.LARGEST && Worlds.grows(members, members + 1, version)) {
            world(
                    "a file taken away in mid-join",
                    g -> g.inJoin(Stage.Join.PROMOTED),
                    w -> file(w, members, Optional.empty()),
                    new Expect.Safe());
        }
    }

    private MemberConfig joining(FakeWorld world, int ordinal) {
        var peers = new TreeMap<Integer, String>();
        world.look(Play.REF).voters().forEach(o -> peers.put(o, "http://" + Play.REF.memberHost(o) + ":2380"));
        return new MemberConfig.Joining(
                world.look(Play.REF).configs().get(ordinal).incarnation(), peers);
    }

    private void file(FakeWorld world, int ordinal, Optional<MemberConfig> config) {
        var spec = Given.spec(Play.REF, size, version);
        var applied = new MemberSettings(spec.server().version(), spec.server().options());
        world.kubernetes().writeMemberConfig(new RingObjects(spec, applied, size, 0, 1), ordinal, config);
    }

    private void trouble() {
        for (int ordinal = 0; ordinal < members; ordinal++) {
            int about = ordinal;
            given("NOSPACE at " + ordinal, g -> g.alarm(Alarm.Kind.NOSPACE, about), new Expect.Waits());
            if (members > 1) {
                given(ordinal + " far behind", g -> g.lagging(about, 5_000), new Expect.Waits());
            }
        }
    }
}
