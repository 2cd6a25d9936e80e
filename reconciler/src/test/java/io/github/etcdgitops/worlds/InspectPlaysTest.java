package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.repair.InspectVolume;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome.Told;
import io.github.etcdgitops.state.journal.Inspection.Outcome.Unreadable;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Volumes of a ring without a quorum are looked into, run after run.
class InspectPlaysTest {
    private static final String VERSION = "3.5.16";

    /// The first ones have no machine; the others answer.
    private static Play lost(int size, int missing) {
        var play = new Play(Worlds.ring().version(VERSION).members(size).build(), Given.spec(Play.REF, size, VERSION));
        play.world.faults(Play.REF).put("a");
        for (int ordinal = 0; ordinal < missing; ordinal++) {
            play.world.faults(Play.REF).unplace(ordinal);
        }
        play.world.tick(30);
        return play;
    }

    private static List<Operation> looks(ClusterPlan plan) {
        return plan.operations().stream()
                .map(PlannedOperation::operation)
                .filter(InspectVolume.class::isInstance)
                .toList();
    }

    private static Play approved(Play play) {
        play.policies = new PolicyEngine(
                Fleet.DEFAULT,
                List.of(new Approval(
                        "yes",
                        Play.REF,
                        Optional.empty(),
                        looks(play.plan()).stream().map(Operation::id).collect(Collectors.toSet()),
                        "an owner",
                        Instant.MAX,
                        Location.ofFile("approvals/yes.yaml"))));
        return play;
    }

    private static SortedMap<Integer, Inspection> found(Play play) {
        return play.ring.journal().orElseThrow().past().tries().inspected();
    }

    private static List<String> said(Play play) {
        return play.plan().findings().stream()
                .filter(f -> f.code().equals("quorum-lost"))
                .map(Finding::message)
                .toList();
    }

    private static void assertAllFound(Play play, String as) {
        assertThat(found(play))
                .as("%s %s", as, play)
                .hasSize(2)
                .allSatisfy((_, inspection) -> assertThat(inspection.outcome())
                        .isInstanceOfSatisfying(
                                Told.class, told -> assertThat(told.revision()).isEqualTo(2)));
        assertThat(play.world.jobs().count()).as(as).isZero();
        assertThat(play.breaches()).as(as).isEmpty();
        assertThat(looks(play.plan())).as(as).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"3, 2", "2, 2"})
    void nextPlanReportsInspectedVolumes(int size, int missing) {
        var play = lost(size, missing);
        assertThat(looks(play.plan())).hasSize(missing);
        approved(play);
        int before = play.world.acts().size();

        play.once(FaultHook.NONE);

        assertAllFound(play, "");
        assertThat(said(play))
                .anySatisfy(m -> assertThat(m)
                        .startsWith("volume of orders-0: at least revision 2, hash ")
                        .contains("(inspected at 20"));
        assertThat(play.world.acts().subList(before, play.world.acts().size()))
                .filteredOn(act -> !act.contains("ease"))
                .allMatch(act -> act.contains("Job") || act.contains("journal"));
    }

    @Test
    void inspectsNothingWithoutApproval() {
        var play = lost(3, 2);
        int before = play.world.acts().size();

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.HELD);

        assertThat(play.world.acts()).hasSize(before);
        assertThat(found(play)).isEmpty();
    }

    @Test
    void optionSaysWhatVolumesHaveBeyondIt() {
        var play = lost(3, 2);
        assertThat(said(play)).noneMatch(m -> m.contains("inspected"));
        approved(play);
        play.once(FaultHook.NONE);

        assertThat(said(play))
                .anySatisfy(m -> assertThat(m)
                        .contains("create a new ring from the data of orders-2,")
                        .contains("None has more data that is known to be committed"))
                .anySatisfy(m ->
                        assertThat(m).contains("bring back 1 of orders-0, orders-1", "first: they have the most data"));
    }

    /// Nothing else is planned of a ring whose template somebody has changed.
    @Test
    void inspectsVolumesOfHeldRing() {
        var play = lost(3, 2);
        play.world.faults(Play.REF).templateByHand(new EtcdVersion(3, 5, 30));
        play.world.tick(30);
        assertThat(play.plan().findings()).extracting(Finding::code).contains("roll-in-progress");
        approved(play);

        play.once(FaultHook.NONE);

        assertAllFound(play, "");
    }

    /// The last that was heard is that its container waits to be started again.
    @Test
    void doesNotInspectVolumeOfUnresponsiveNode() {
        var play = lost(3, 2);
        assertThat(looks(play.plan())).hasSize(2);

        play.world.faults(Play.REF).silenceUnheard(1);

        assertThat(looks(play.plan()))
                .singleElement()
                .satisfies(look -> assertThat(look.summary()).contains("orders-0"));
    }

    @Test
    void continuesAfterKillAtEveryBoundary() {
        var reached = new AtomicInteger();
        approved(lost(3, 2)).once(_ -> reached.incrementAndGet());
        assertThat(reached.get()).isGreaterThanOrEqualTo(4);
        for (int boundary = 1; boundary <= reached.get(); boundary++) {
            var play = approved(lost(3, 2));
            var passed = new AtomicInteger();
            int last = boundary;
            try {
                play.once(at -> {
                    if (passed.incrementAndGet() == last) {
                        throw new Crash(at);
                    }
                });
            } catch (Crash _) {
                play.world.tick(20);
            }
            play.once(FaultHook.NONE);

            assertAllFound(play, "boundary " + boundary);
        }
    }

    @Test
    void continuesAfterKillInEveryCall() {
        var whole = approved(lost(2, 2));
        long first = whole.world.calls();
        whole.once(FaultHook.NONE);
        long calls = whole.world.calls() - first;
        assertThat(calls).isGreaterThan(20);
        for (int call = 1; call <= calls; call++) {
            for (boolean before : new boolean[] {true, false}) {
                var play = approved(lost(2, 2));
                int at = play.world.calls() + call;
                if (before) {
                    play.world.crashBeforeCall(at);
                } else {
                    play.world.crashAfterCall(at);
                }
                try {
                    play.once(FaultHook.NONE);
                } catch (Crash | OneProcess.StillDead _) {
                    play.world.tick(30);
                }
                play.once(FaultHook.NONE);
                play.world.tick(30);
                play.once(FaultHook.NONE);

                assertAllFound(play, "call " + call + (before ? ", before" : ", after"));
            }
        }
    }

    /// Whenever it starts: what was copied meanwhile is never taken for what was there.
    @Test
    void dropsResultOfMemberThatStartsMeanwhile() {
        var whole = approved(lost(5, 4));
        long first = whole.world.calls();
        whole.once(FaultHook.NONE);
        long calls = whole.world.calls() - first;
        int unreadable = 0;
        for (int call = 1; call <= calls; call++) {
            var play = approved(lost(5, 4));
            play.world.beforeCall(
                    play.world.calls() + call, () -> play.world.faults(Play.REF).recover(0));

            play.once(FaultHook.NONE);

            for (var inspection : found(play).values()) {
                if (inspection.outcome() instanceof Told told) {
                    assertThat(told.revision()).as("call " + call).isEqualTo(2);
                } else {
                    unreadable++;
                }
            }
        }
        assertThat(unreadable).isPositive();
    }

    @Test
    void reportsUnschedulableInspection() {
        var play = approved(lost(3, 2));
        play.world.jobs().stuck(true);

        play.once(FaultHook.NONE);

        assertThat(found(play).values())
                .hasSize(2)
                .allSatisfy(inspection -> assertThat(inspection.outcome())
                        .isInstanceOfSatisfying(
                                Unreadable.class,
                                u -> assertThat(u.why())
                                        .contains("does not start: no machine has room; that has not changed for"
                                                + " 4 min")));
        assertThat(play.world.jobs().count()).isZero();
        assertThat(said(play)).anyMatch(m -> m.startsWith("volume of orders-1: it could not be read"));
        assertThat(looks(play.plan())).hasSize(2);
    }

    @Test
    void reportsVolumeOnWhichEtcdDoesNotStart() {
        var play = approved(lost(3, 2));
        play.world.faults(Play.REF).spoilData(0);

        play.once(FaultHook.NONE);

        assertThat(found(play).get(0).outcome()).isEqualTo(new Unreadable("serve: it ended with exit code 2: panic"));
        assertThat(found(play).get(1).outcome()).isInstanceOf(Told.class);
    }

    @Test
    void inspectsNothingIfQuorumIsBack() {
        var play = approved(lost(3, 2));
        play.once(FaultHook.NONE);

        play.mend();

        assertThat(play.notAtRest(play.untilQuiet(3))).as(play.toString()).isEmpty();
        assertThat(said(play)).isEmpty();
    }
}
