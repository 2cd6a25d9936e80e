package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings whose StatefulSet somebody has deleted by hand.
class StatefulSetGonePlaysTest {
    @ParameterizedTest
    @CsvSource({"3.5.16, 1", "3.5.16, 3", "3.5.16, 5", "3.4.23, 3", "3.3.25, 3"})
    void startsRingAgainAfterApproval(String version, int size) {
        var play = gone(version, size);
        var claims = claims(play, size);
        int before = play.world.acts().size();

        var unasked = play.untilQuiet(2);
        assertThat(codes(unasked)).contains("statefulset-missing");
        assertThat(play.world.acts()).hasSize(before);

        assertThat(play.notAtRest(approved(play).untilQuiet(3))).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
        assertThat(claims(play, size)).isEqualTo(claims);
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        for (int size : List.of(1, 3)) {
            var boundaries = new LinkedHashSet<String>();
            approved(gone("3.5.16", size)).once(boundaries::add);
            for (String boundary : boundaries) {
                var play = approved(gone("3.5.16", size));
                play.killAt(boundary);
                play.world.tick(30);

                assertThat(play.notAtRest(play.untilQuiet(3)))
                        .as("%s %s", boundary, play)
                        .isEmpty();
                assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
            }
            assertThat(boundaries).hasSizeGreaterThan(16);
        }
    }

    /// They serve: nobody makes them anew, and nobody ends them either.
    @Test
    void keepsRunningPods() {
        var play = gone("3.5.16", 3, true);

        var plan = play.untilQuiet(2);

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(codes(plan)).containsExactly("statefulset-missing");
        assertThat(plan.findings().getFirst().message()).contains("orders-0, orders-1, orders-2");
        assertThat(play.ring.serving()).hasSize(3);
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    /// A volume of another UID would bring back a member that has forgotten what it had agreed to.
    @ParameterizedTest
    @ValueSource(strings = {"gone", "another", "foreign"})
    void holdsRingWithMissingVolumes(String what) {
        var play = gone("3.5.16", 3);
        change(play, what);
        play.world.tick(5);
        int before = play.world.acts().size();

        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(codes(play.plan())).containsExactly("statefulset-missing");
        play.untilQuiet(2);
        assertThat(play.world.acts()).hasSize(before);
    }

    /// The plan was approved while they were all there: each step that leads to a start looks again.
    @Test
    void noticesVolumeDeletedAfterPlanning() {
        for (String step : List.of("BeginReturn", "SealMembers", "StartMembers")) {
            for (String what : List.of("gone", "another", "foreign")) {
                var play = approved(gone("3.5.16", 3));

                var result = play.once(boundary -> {
                    if (boundary.equals("ReturnCluster/" + step + "/before")) {
                        change(play, what);
                        play.world.tick(5);
                    }
                });

                assertThat(result.outcome()).as("%s %s %s", step, what, play).isEqualTo(Outcome.HELD);
                assertThat(result.detail()).as("%s %s %s", step, what, play).contains("the claim data-orders-1");
            }
        }
    }

    private static void change(Play play, String what) {
        switch (what) {
            case "foreign" -> play.world.faults(Play.REF).takeOverClaim(1);
            case "another" -> play.world.faults(Play.REF).copyClaim(1);
            default -> play.world.faults(Play.REF).deleteClaim(1);
        }
    }

    /// Who comes back does not end, and who is in the midst of something is not begun anew.
    @Test
    void holdsRingDuringOperation() {
        var play = new Play(Worlds.ring().version("3.5.16").members(3).build(), Given.spec(Play.REF, 5, "3.5.16"));
        play.killAt("ScaleOut/SealMember/before");
        lose(play, false);

        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(play.plan().findings().getFirst().message()).contains("under way: JOIN");
    }

    /// Another one is made between plan and step, by whoever deleted the first.
    @Test
    void startsNothingBesideAnotherChange() {
        var play = approved(gone("3.5.16", 3));

        var result = play.once(boundary -> {
            if (boundary.equals("ReturnCluster/BeginReturn/before")) {
                play.world.faults(Play.REF).statefulSetAgain();
                play.world.tick(5);
            }
        });

        assertThat(result.outcome()).isNotEqualTo(Outcome.DONE);
        assertThat(play.ring.journal().orElseThrow().intent()).isEmpty();
        play.world.tick(30);
        assertThat(play.notAtRest(play.untilQuiet(3))).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    private static Play gone(String version, int size) {
        return gone(version, size, false);
    }

    private static Play gone(String version, int size, boolean orphan) {
        var play = new Play(Worlds.ring().version(version).members(size).build(), Given.spec(Play.REF, size, version));
        lose(play, orphan);
        return play;
    }

    private static void lose(Play play, boolean orphan) {
        play.world.faults(Play.REF).deleteStatefulSet(orphan);
        play.world.tick(20);
    }

    private static Play approved(Play play) {
        var ids = play.plan().operations().stream()
                .map(planned -> planned.operation().id())
                .collect(Collectors.toUnmodifiableSet());
        assertThat(ids).hasSize(1);
        play.policies = new PolicyEngine(
                Fleet.DEFAULT,
                List.of(new Approval(
                        "yes",
                        Play.REF,
                        Optional.empty(),
                        ids,
                        "an owner",
                        Instant.MAX,
                        Location.ofFile("approvals/yes.yaml"))));
        return play;
    }

    private static List<String> claims(Play play, int size) {
        return IntStream.range(0, size).mapToObj(play.ring::claimUid).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
