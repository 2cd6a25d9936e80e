package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.validation.Location;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A member on a machine that went silent is replaced, and its pod stays there.
class ReleasePlaysTest {
    @Test
    void releasesPodAfterApprovalAndReplacesMember() {
        var play = stranded();
        var plan = play.plan();
        assertThat(kinds(plan)).containsExactly("ReleasePod", "ReplaceMember");
        assertThat(plan.operations()).allMatch(o -> o.verdict() instanceof Verdict.Hold);

        play.once(FaultHook.NONE);
        assertThat(released(play)).isFalse();

        approve(play);
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(released(play)).isTrue();
        assertThat(play.ring.voters()).containsExactly(0, 1, 2, 3, 4);
        rests(play);
    }

    /// Nothing comes of waiting; whoever reads the next plan can help.
    @Test
    void neverWaitsForUnresponsiveNode() {
        var play = silent();
        long before = play.world.ticks();

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("remains on node-1, which does not report");
        assertThat(play.world.ticks() - before).isLessThan(120);
        assertThat(kinds(play.plan())).startsWith("ReleasePod");
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        var boundaries = new LinkedHashSet<String>();
        var first = stranded();
        approve(first);
        first.once(boundaries::add);
        for (String boundary : boundaries) {
            var play = stranded();
            approve(play);
            try {
                play.once(at -> {
                    if (at.equals(boundary)) {
                        throw new Crash(at);
                    }
                });
            } catch (Crash _) {
                // Killed.
            }
            play.world.tick(30);

            rests(play);
        }
        assertThat(boundaries).hasSizeGreaterThan(15);
    }

    /// It confirms the end of the pod by itself then.
    @Test
    void keepsPodOfNodeThatReportsAgain() {
        var play = stranded();
        approve(play);

        play.once(boundary -> {
            if (boundary.equals("ReleasePod/ReleasePod/before")) {
                play.world.faults(Play.REF).recover(1);
                play.world.tick(1);
            }
        });

        assertThat(released(play)).isFalse();
        play.world.tick(30);
        rests(play);
    }

    /// Nobody knows what has become of it.
    @Test
    void doesNotTakeUnreadableNodeForUnresponsive() {
        var play = stranded();
        approve(play);
        play.world.faults(Play.REF).hideMachines(true);

        play.once(FaultHook.NONE);

        assertThat(kinds(play.plan())).doesNotContain("ReleasePod");
        assertThat(released(play)).isFalse();
    }

    @Test
    void holdsReleaseIfNodeIsUnreadable() {
        var play = stranded();
        approve(play);

        play.once(boundary -> {
            if (boundary.equals("ReleasePod/ReleasePod/before")) {
                play.world.faults(Play.REF).hideMachines(true);
            }
        });

        assertThat(released(play)).isFalse();
    }

    /// Somebody adds a member of its name by hand: what runs there may be that one.
    @Test
    void keepsPodOfMemberThatWasAddedAgain() {
        var play = stranded();
        approve(play);

        play.once(boundary -> {
            if (boundary.equals("ReleasePod/ReleasePod/before")) {
                play.world.faults(Play.REF).addForeignMember("http://" + Play.REF.memberHost(1) + ":2380");
            }
        });

        assertThat(released(play)).isFalse();
    }

    /// Whoever runs there still votes, for all we know.
    @Test
    void neverReleasesPodOfMember() {
        var world = Worlds.ring().version("3.5.16").members(5).leader(4).build();
        world.faults(Play.REF).silence(1);
        world.faults(Play.REF).deletePod(1);
        world.tick(20);
        var play = new Play(world, Given.spec(Play.REF, 5, "3.5.16"));

        play.once(FaultHook.NONE);

        assertThat(kinds(play.plan())).doesNotContain("ReleasePod");
        assertThat(released(play)).isFalse();
    }

    /// The member is out of the ring, and the run could not get on.
    private static Play stranded() {
        var play = silent();
        assertThat(play.once(FaultHook.NONE).outcome()).isNotEqualTo(Outcome.DONE);
        assertThat(play.ring.voters()).containsExactly(0, 2, 3, 4);
        play.policies = new PolicyEngine(Fleet.DEFAULT, List.of());
        return play;
    }

    /// Somebody wants the member on a silent machine replaced, and has approved it.
    private static Play silent() {
        var world = Worlds.ring().version("3.5.16").members(5).leader(4).build();
        var former = world.look(Play.REF).memberId(1).orElseThrow();
        world.faults(Play.REF).silence(1);
        world.tick(20);
        var play = new Play(world, Specs.replacing(Given.spec(Play.REF, 5, "3.5.16"), Mode.MANUAL, Map.of(1, former)));
        approve(play);
        return play;
    }

    static void approve(Play play) {
        String operation = play.plan().operations().getFirst().operation().id();
        play.policies = new PolicyEngine(
                Fleet.DEFAULT,
                List.of(new Approval(
                        "orders",
                        Play.REF,
                        Set.of(operation),
                        "kim",
                        play.world.instant().plusSeconds(36_000),
                        Location.ofFile("approvals/orders.yaml"))));
    }

    private static boolean released(Play play) {
        return play.world.acts().contains("release pod 1");
    }

    private static void rests(Play play) {
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }
}
