package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/// A run that is killed, or that does not hear an answer, at any call of any operation: the next runs
/// carry on, and nobody notices.
class CrashEverywhereTest {
    /// How a call goes wrong.
    private enum Trouble {
        KILLED_BEFORE(FakeWorld::crashBeforeCall),
        KILLED_AFTER(FakeWorld::crashAfterCall),
        ANSWER_LOST(FakeWorld::loseAnswerOfCall),
        STATUS_WRITTEN((world, call) ->
                world.beforeCall(call, () -> world.faults(Play.REF).statusWritten()));

        private final ObjIntConsumer<FakeWorld> strike;

        Trouble(ObjIntConsumer<FakeWorld> strike) {
            this.strike = strike;
        }
    }

    @Test
    void continuesAfterCrashAtAnyCallOfCreation() {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            for (int size : List.of(1, 3, 5)) {
                cases.add(new Case(
                        "founding " + size + " on " + version,
                        () -> Given.absent(Play.REF.namespace(), Play.REF.name())
                                .build(),
                        Given.spec(Play.REF, size, version),
                        new Expect.Converges()));
            }
        }

        assertThat(everywhere(cases)).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfSizeChange() {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            cases.add(resize(version, 3, 5));
            cases.add(resize(version, 5, 3));
            cases.add(resize(version, 3, 1));
            if (Worlds.grows(1, 3, version)) {
                cases.add(resize(version, 1, 3));
            }
        }

        assertThat(everywhere(cases)).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfRollout() {
        var cases = new ArrayList<Case>();
        for (int size : List.of(1, 3, 5)) {
            cases.add(upgrade(size, "3.3.25", "3.4.23"));
            cases.add(upgrade(size, "3.5.16", "3.5.30"));
            cases.add(upgrade(size, "3.6.14", "3.5.30"));
            cases.add(new Case(
                    "another template for " + size,
                    () -> Worlds.ring().members(size).leader(size - 1).build(),
                    Specs.withResources(Given.spec(Play.REF, size, "3.5.16")),
                    new Expect.Converges()));
            cases.add(new Case(
                    "a feature gate for " + size,
                    () -> Worlds.ring().members(size).leader(size - 1).build(),
                    Specs.withFeatures(Given.spec(Play.REF, size, "3.5.16"), FeatureGate.COMPACT_HASH_CHECK),
                    new Expect.Converges()));
        }

        assertThat(everywhere(cases)).isEmpty();
    }

    /// The member that could not come up is the cause of the run before: here the spec went back.
    @Test
    void continuesAfterCrashAtAnyCallOfRollback() {
        var cases = new ArrayList<Case>();
        for (int size : List.of(3, 5)) {
            cases.add(new Case(
                    "taken back, " + size,
                    () -> RollPlaysTest.halfRolled(size, 2),
                    Given.spec(Play.REF, size, "3.5.16"),
                    new Expect.Converges()));
            cases.add(new Case(
                    "downgrade taken back, " + size,
                    () -> RollPlaysTest.halfRolled("3.6.14", "3.5.30", size, 2),
                    Given.spec(Play.REF, size, "3.6.14"),
                    new Expect.Converges()));
        }

        assertThat(everywhere(cases)).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfTlsMigration() {
        var cases = new ArrayList<Case>();
        for (int size : List.of(1, 3)) {
            cases.add(new Case(
                    "plain to mutual, " + size,
                    () -> TlsPlaysTest.ring("3.5.16", size),
                    TlsPlaysTest.wanted(size, "3.5.16", TlsPlaysTest.MUTUAL),
                    new Expect.Converges()));
            cases.add(new Case(
                    "founded with TLS, " + size,
                    () -> Given.absent(Play.REF.namespace(), Play.REF.name()).build(),
                    TlsPlaysTest.wanted(size, "3.5.16", TlsPlaysTest.MUTUAL),
                    new Expect.Converges()));
        }
        cases.add(new Case(
                "from one CA to the next",
                () -> SecuredRing.of(3),
                Specs.withAuthority(Given.spec(Play.REF, 3, "3.5.16"), TlsPlaysTest.MUTUAL, 2),
                new Expect.Converges()));
        cases.add(new Case(
                "taken back in the second half",
                () -> TlsPlaysTest.left(3, 4),
                TlsPlaysTest.wanted(3, "3.5.16", Transport.PLAIN),
                new Expect.Converges()));

        assertThat(everywhere(cases)).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfGrowth() {
        var cases = new ArrayList<Case>();
        for (int size : List.of(1, 2, 3)) {
            cases.add(GrowPlaysTest.growing("volumes of " + size, size, false, Given.spec(Play.REF, size, "3.5.16")));
            cases.add(GrowPlaysTest.growing(
                    "volumes and quota of " + size, size, false, GrowPlaysTest.withQuota(size, 1_200_000_000L)));
            cases.add(GrowPlaysTest.growing(
                    "volumes of " + size + ", which are to be mounted anew",
                    size,
                    true,
                    Given.spec(Play.REF, size, "3.5.16")));
        }

        assertThat(everywhere(cases)).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfAdoption() {
        var cases = new ArrayList<Case>();
        for (int size : List.of(1, 3)) {
            cases.add(new Case(
                    "taken over, " + size,
                    () -> AdoptPlaysTest.foreign(size),
                    AdoptPlaysTest.wanted(size),
                    new Expect.Converges()));
        }
        // What was taken over has claims with names of its own.
        for (int size : List.of(1, 3)) {
            cases.add(new Case(
                    "volumes of a ring that was taken over, " + size,
                    () -> AdoptPlaysTest.takenOver(size),
                    Specs.withStorage(Given.spec(Play.REF, size, "3.5.16"), "2Gi"),
                    new Expect.Converges()));
        }

        assertThat(everywhere(cases)).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfMaintenance() {
        var cases = new ArrayList<Case>();
        for (int size : List.of(1, 3)) {
            cases.add(SpaceWorlds.loose("3.4.23", size, size - 1));
            cases.add(SpaceWorlds.loose("3.5.16", size, size - 1));
            cases.add(SpaceWorlds.full("3.5.16", size, size - 1));
        }

        assertThat(everywhere(cases)).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfAuthentication() {
        assertThat(everywhere(AuthPlaysTest.cases())).isEmpty();
    }

    @Test
    void continuesAfterCrashAtAnyCallOfVolumeInspection() {
        var cases = List.of(new Case(
                "the third witness",
                () -> InitialCheckPlaysTest.refused(3, false, 1, 1, 2),
                Specs.mendingMembers(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC),
                new Expect.Converges()));

        assertThat(everywhere(cases)).isEmpty();
    }

    private static Case upgrade(int size, String from, String to) {
        return new Case(
                from + " to " + to + " of " + size,
                () -> Worlds.ring().version(from).members(size).leader(size - 1).build(),
                Given.spec(Play.REF, size, to),
                new Expect.Converges());
    }

    private static Case resize(String version, int from, int to) {
        return new Case(
                from + " to " + to + " on " + version,
                () -> Worlds.ring()
                        .version(version)
                        .members(from)
                        .leader(from - 1)
                        .build(),
                Given.spec(Play.REF, to, version),
                new Expect.Converges());
    }

    private record Moment(Case world, Trouble trouble, int call) {}

    private static List<String> everywhere(List<Case> cases) {
        var moments = new ArrayList<Moment>();
        for (var world : cases) {
            for (int call : calls(world)) {
                for (var trouble : Trouble.values()) {
                    moments.add(new Moment(world, trouble, call));
                }
            }
        }
        var wrong = Judge.firsts(moments, m -> played(m.world(), m.trouble(), m.call()));
        System.out.println("crashes: " + cases.size() + " worlds, " + moments.size() + " plays");
        return wrong;
    }

    /// The numbers of the calls that one undisturbed run makes. All that change something, and by
    /// default only a few of the others: between two changes nothing differs from one read to the next
    /// but time.
    private static List<Integer> calls(Case world) {
        var play = world.play();
        int first = play.world.calls() + 1;
        var acts = new TreeMap<Integer, Integer>();
        for (int call = first; call < first + 5_000; call++) {
            int number = call;
            play.world.beforeCall(call, () -> acts.put(number, play.world.acts().size()));
        }
        play.once(FaultHook.NONE);
        return acts.keySet().stream()
                .filter(n -> Case.exhaustive()
                        || n % 23 == 0
                        || !acts.get(n).equals(acts.getOrDefault(n + 1, Integer.MAX_VALUE)))
                .toList();
    }

    private static List<String> played(Case world, Trouble trouble, int call) {
        var play = world.play();
        var wrong = new ArrayList<String>();
        trouble.strike.accept(play.world, call);
        try {
            var result = play.once(FaultHook.NONE);
            if (trouble == Trouble.STATUS_WRITTEN
                    && result.outcome() != ClusterResult.Outcome.DONE
                    && !play.ring.awaitsMount()) {
                wrong.add("not done in one run: " + result.detail());
            }
        } catch (Crash | OneProcess.StillDead _) {
            play.world.tick(5);
        } catch (RuntimeException e) {
            if (trouble != Trouble.ANSWER_LOST) {
                throw e;
            }
            // The call was a read outside of any step, of which a gateway's contract says that it never throws.
            play.world.tick(5);
        }
        play.world.tick(20);
        wrong.addAll(play.notAtRest(play.untilQuiet(4)));
        wrong.addAll(play.breaches());
        return wrong.isEmpty()
                ? List.of()
                : List.of(trouble + " at call " + call + " of " + world + ":\n    " + wrong + "\n    " + play);
    }
}
