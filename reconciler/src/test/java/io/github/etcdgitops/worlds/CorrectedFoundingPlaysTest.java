package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.founding.RefoundStep;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.FeatureGate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// A founding that does not come up because of its document: the corrected document brings the ring up.
class CorrectedFoundingPlaysTest {
    private static final String GONE = "gone";

    @Test
    void anotherVersion() {
        var play = wrongVersion();

        comesUp(play, good());
    }

    @Test
    void anotherClass() {
        var play = wrongClass();

        comesUp(play, Specs.inClass(good(), "standard"));
    }

    @Test
    void noClass() {
        comesUp(wrongClass(), good());
    }

    @Test
    void fewerMembers() {
        var play = new Play(new FakeWorld(), Given.spec(Play.REF, 5, "3.5.16"));
        play.world.faults(Play.REF).podQuota(3);
        play.once(FaultHook.NONE);

        comesUp(play, good());
    }

    @Test
    void moreMembers() {
        var play = wrongVersion();

        comesUp(play, Given.spec(Play.REF, 5, "3.5.16"));
    }

    @Test
    void planSaysWhyCreationStartsAgain() {
        var play = wrongVersion();
        play.spec = good();

        var operation = play.plan().operations().getFirst();

        assertThat(operation.operation().kind()).isEqualTo("BootstrapCluster");
        assertThat(operation.operation().reason())
                .isEqualTo("the new ring did not start, and the document now asks for something else:"
                        + " version 3.5.16 instead of 3.5.30");
        assertThat(operation.steps().getFirst().step()).isInstanceOf(RefoundStep.EndFounding.class);
    }

    /// It is changed as any other ring, once it is there.
    @Test
    void keepsRingThatHasStarted() {
        var play = new Play(new FakeWorld(), Given.spec(Play.REF, 3, "3.5.16"));
        assertThat(play.killAt("BootstrapCluster/AwaitRing/after")).isTrue();
        play.spec = Given.spec(Play.REF, 5, "3.5.16");

        assertThat(play.notAtRest(play.untilQuiet(4))).isEmpty();
        assertThat(play.world.acts()).noneMatch(act -> act.contains("replicas 0"));
    }

    /// Killed anywhere, with everything that a document may ask of a founding.
    @Test
    void continuesCreationWithUnchangedDocument() {
        for (var spec : List.of(
                good(),
                Specs.talking(good(), TlsPlaysTest.MUTUAL),
                Specs.withAuthority(good(), TlsPlaysTest.MUTUAL, 2),
                Specs.withImage(good()),
                Specs.inClass(good(), "standard"),
                Specs.withOption(good(), "snapshotCount", 1000),
                Specs.withFeatures(good(), FeatureGate.COMPACT_HASH_CHECK))) {
            var boundaries = new ArrayList<String>();
            new Play(new FakeWorld(), spec).once(boundaries::add);
            for (String boundary : boundaries) {
                var play = new Play(new FakeWorld(), spec);
                play.killAt(boundary);

                assertThat(play.plan().operations())
                        .as("%s of %s", boundary, spec)
                        .noneMatch(planned -> planned.operation() instanceof BootstrapCluster founding
                                && founding.stage() instanceof BootstrapCluster.Stage.Anew);
            }
        }
    }

    @Test
    void continuesAfterKillAtEveryBoundary() {
        for (var begin : List.<Supplier<Play>>of(
                CorrectedFoundingPlaysTest::wrongVersion, CorrectedFoundingPlaysTest::wrongClass)) {
            var boundaries = new ArrayList<String>();
            var whole = begin.get();
            whole.spec = good();
            whole.once(boundaries::add);
            assertThat(boundaries).hasSizeGreaterThan(10);
            for (String boundary : boundaries) {
                var play = begin.get();
                play.spec = good();
                assertThat(play.killAt(boundary)).as(boundary).isTrue();

                assertThat(play.notAtRest(play.untilQuiet(4))).as(boundary).isEmpty();
                assertThat(play.breaches()).as(boundary).isEmpty();
            }
        }
    }

    /// Somebody who changes their mind twice.
    @Test
    void createsRingIfDocumentIsReverted() {
        var boundaries = new ArrayList<String>();
        var whole = wrongVersion();
        var before = whole.spec;
        whole.spec = good();
        whole.once(boundaries::add);
        for (String boundary : boundaries) {
            var play = wrongVersion();
            play.spec = good();
            play.killAt(boundary);
            play.spec = before;
            play.world.faults(Play.REF).unpullable("3.5.30", false);

            assertThat(play.notAtRest(play.untilQuiet(6))).as(boundary).isEmpty();
        }
    }

    private static void comesUp(Play play, EtcdClusterSpec corrected) {
        play.spec = corrected;

        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static Play wrongVersion() {
        var play = new Play(new FakeWorld(), Given.spec(Play.REF, 3, "3.5.30"));
        play.world.faults(Play.REF).unpullable("3.5.30", true);
        play.once(FaultHook.NONE);
        return play;
    }

    private static Play wrongClass() {
        var world = new FakeWorld();
        world.volumes().noClass(GONE);
        var play = new Play(world, Specs.inClass(good(), GONE));
        play.once(FaultHook.NONE);
        return play;
    }

    private static EtcdClusterSpec good() {
        return Given.spec(Play.REF, 3, "3.5.16");
    }
}
