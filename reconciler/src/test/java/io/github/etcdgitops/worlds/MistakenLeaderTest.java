package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.spec.value.Tls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A member takes a peer for lost that is there. As leader it refuses every change of membership: other
/// members are asked. Where a roll asks for streams, it is believed when it still calls the peer and is
/// answered.
class MistakenLeaderTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void growsRingWithMistakenLeader(int leader) {
        var world = Worlds.ring().version("3.5.16").members(3).leader(leader).build();
        world.faults(Play.REF).takesPeerForLost(leader);
        var play = new Play(world, Given.spec(Play.REF, 5, "3.5.16"));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.ring.voters()).hasSize(5);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void shrinksRingWithMistakenLeader() {
        var world = Worlds.ring().version("3.5.16").members(3).leader(0).build();
        world.faults(Play.REF).takesPeerForLost(0);
        var play = new Play(world, Given.spec(Play.REF, 1, "3.5.16"));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.breaches()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void movesRingWithMistakenLeaderToTls(int mistaken) {
        var play = overToTls(mistaken);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void trustsNeitherOfTwoMembersThatReportEachOtherLost() {
        var result = overToTls(0, 1).once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("has no stream to", "delete the pod orders-");
    }

    /// What is not told is no proof.
    @Test
    void believesNoMemberWithoutRecord() {
        var play = overToTls(1);
        play.world.faults(Play.REF).notesNoProbes();

        assertThat(play.once(FaultHook.NONE).detail()).contains("has no stream to");
    }

    /// Counters that begin anew, as those of a member that was restarted, are no notes either.
    @Test
    void believesNoMemberWithForgottenRecord() {
        var play = overToTls(1);
        var proof = new AtomicInteger();
        var forgotten = new AtomicBoolean();
        var run = play.run().pausing(time -> {
            // By then a note was seen, which comes every 30 s, and the window has not passed.
            if (proof.incrementAndGet() == 33) {
                play.world.faults(Play.REF).notesNoProbes();
                forgotten.set(true);
            }
            play.world.sleep(time);
        });
        var believed = new ArrayList<String>();
        FaultHook hook = at -> {
            proof.set(at.endsWith("/ProveTransport/before") ? 0 : -1000);
            // The proof ends at its deadline; nothing follows.
            if (forgotten.get() && !at.endsWith("/ProveTransport/after")) {
                believed.add(at);
            }
        };

        var result = run.execute(run.plan(), hook, _ -> true);

        assertThat(forgotten).isTrue();
        assertThat(believed).isEmpty();
        assertThat(result.detail()).contains("has no stream to");
    }

    private static Play overToTls(int... mistaken) {
        var world = Worlds.ring().version("3.5.16").members(3).leader(0).build();
        for (int ordinal : mistaken) {
            world.faults(Play.REF).takesPeerForLost(ordinal);
        }
        var tls = new Tls(TlsPlaysTest.MUTUAL, Tls.Issuer.BUILT_IN, Duration.ofDays(90));
        return new Play(world, Specs.secured(Given.spec(Play.REF, 3, "3.5.16"), tls));
    }

    @Test
    void refusesIfEveryMemberIsMistaken() {
        var world = Worlds.ring().version("3.5.16").members(3).leader(0).build();
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            world.faults(Play.REF).takesPeerForLost(ordinal);
        }

        assertThat(new Play(world, Given.spec(Play.REF, 4, "3.5.16"))
                        .once(FaultHook.NONE)
                        .outcome())
                .isEqualTo(Outcome.FAILED);
    }
}
