package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ContinuedOperation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Which run began what is under way, as the next one says it.
class ContinuedOperationPlaysTest {
    @Test
    void nextPlanNamesRunAndProgressOfGrowth() {
        var play = growing();
        kill(play, "ScaleOut/AwaitStarted/after");
        play.world.tick(20);

        assertThat(said(play)).singleElement().satisfies(finding -> {
            assertThat(finding.message())
                    .startsWith("run run-1 began ScaleOut (")
                    .contains("continues it at step ");
        });
        assertThat(ContinuedOperation.begun(play.run().fresh().kube())).hasValueSatisfying(begun -> {
            assertThat(begun.run()).isEqualTo("run-1");
            assertThat(begun.operation()).isEqualTo("ScaleOut");
        });
        assertThat(begun(play).orElseThrow().step()).isGreaterThan(1);
    }

    @Test
    void namesFirstRunWhicheverContinues() {
        var play = growing();
        kill(play, "ScaleOut/Begin/after");
        play.world.tick(20);
        int first = begun(play).orElseThrow().step();
        kill(play, "ScaleOut/SealMember/after");
        play.world.tick(20);

        assertThat(begun(play)).map(ChangeHistory.Begun::run).contains("run-1");
        assertThat(begun(play).orElseThrow().step()).isGreaterThan(first);
    }

    @Test
    void saysNothingIfNothingIsUnderWay() {
        var play = growing();
        kill(play, "ScaleOut/AddLearner/after");
        play.world.tick(20);
        assertThat(play.notAtRest(play.untilQuiet(4))).isEmpty();

        assertThat(said(play)).isEmpty();
        assertThat(begun(play)).isEmpty();
    }

    @Test
    void namesRunOfCreation() {
        var play = new Play(new FakeWorld(), Given.spec(Play.REF, 3, "3.5.16"));
        kill(play, "BootstrapCluster/AwaitRing/after");
        play.world.tick(20);

        assertThat(begun(play)).contains(new ChangeHistory.Begun("run-1", "BootstrapCluster", id(play), 1));
        kill(play, "BootstrapCluster/RecordRing/after");
        assertThat(begun(play)).map(ChangeHistory.Begun::run).contains("run-1");
    }

    private static Play growing() {
        return new Play(Worlds.ring().members(3).leader(0).build(), Given.spec(Play.REF, 4, "3.5.16"));
    }

    private static Optional<ChangeHistory.Begun> begun(Play play) {
        return play.ring.journal().orElseThrow().past().doings().begun();
    }

    private static String id(Play play) {
        return play.plan().operations().getFirst().operation().id();
    }

    private static List<Finding> said(Play play) {
        return ContinuedOperation.findings(play.run().fresh());
    }

    private static void kill(Play play, String at) {
        assertThat(play.killAt(at)).as(at).isTrue();
    }
}
