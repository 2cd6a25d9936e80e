package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.it.SigningKeys;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.auth.TokenKey.Method;
import io.github.etcdgitops.spec.auth.User.SecretRef;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The key of a ring's tokens, which comes from a Secret of others.
class TokenKeyPlaysTest {
    private static final String SECRET = "orders-token";

    private static EtcdClusterSpec spec(Method method, String secret) {
        var key = new TokenKey(new SecretRef(secret, "tls.key"), method, 300);
        return Specs.withOption(Given.spec(Play.REF, 3, "3.5.30"), TokenKey.OPTION, key.option());
    }

    private static FakeWorld ring() {
        return Worlds.ring().version("3.5.30").members(3).build();
    }

    private static FakeWorld with(FakeWorld world, String secret, String pem) {
        world.passwords().putByHand(Play.REF, secret, "tls.key", pem);
        return world;
    }

    @Test
    void anotherKeyIsAnotherConfiguration() {
        var world = with(ring(), SECRET, SigningKeys.RSA);
        var play = new Play(world, spec(Method.RS256, SECRET));

        assertThat(play.plan().operations()).singleElement().satisfies(planned -> {
            assertThat(planned.operation().kind()).isEqualTo("RollMembers");
            assertThat(planned.forClients()).contains("clients with a password sign in again");
        });
        done(play);
        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        world.tick(20);

        done(new Play(with(world, "orders-token-2", SigningKeys.EC), spec(Method.ES256, "orders-token-2")));
    }

    /// A member that restarts without its key does not come back.
    @ParameterizedTest
    @CsvSource({
        "none, has no entry tls.key",
        "empty, has no entry tls.key",
        "text, has no RSA key in PEM in its entry tls.key",
        "EC, which RS256 needs",
        "forbidden, could not be checked"
    })
    void noMemberRestartsForAMissingKey(String found, String told) {
        var world = ring();
        switch (found) {
            case "empty" -> with(world, SECRET, "");
            case "text" -> with(world, SECRET, "open sesame");
            case "EC" -> with(world, SECRET, SigningKeys.EC);
            case "forbidden" -> world.passwords().forbid(Play.REF, SECRET);
            default -> assertThat(world.passwords().entries(Play.REF, SECRET)).isEmpty();
        }
        var play = new Play(world, spec(Method.RS256, SECRET));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail())
                .contains("the Secret orders-token of spec.auth.token", told)
                .doesNotContain("sesame");
        assertThat(world.look(Play.REF).journal().orElseThrow().intent()).isEmpty();
    }

    @Test
    void aKeyOnAnotherCurveSignsNothing() {
        var play = new Play(with(ring(), SECRET, SigningKeys.EC), spec(Method.ES384, SECRET));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("has no key on the curve P-384", "which ES384 needs");
    }

    @Test
    void noRingIsCreatedWithoutItsKey() {
        var world = new FakeWorld();
        var play = new Play(world, spec(Method.RS256, SECRET));

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.HELD);
        assertThat(world.look(Play.REF).journal()).isEmpty();

        done(new Play(with(world, SECRET, SigningKeys.RSA), spec(Method.RS256, SECRET)));
    }
}
