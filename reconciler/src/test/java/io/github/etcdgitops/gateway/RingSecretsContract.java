package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingSecrets.Content;
import io.github.etcdgitops.gateway.RingSecrets.Stored;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the product relies on in [RingSecrets]; the fake and the adapter pass it alike.
public abstract class RingSecretsContract {
    /// An empty namespace for one test, and what a test has to do there behind the port's back.
    public interface World extends AutoCloseable {
        RingSecrets secrets();

        String namespace();

        /// Whether an answer of 404 says what is absent, as a real API server's does.
        boolean provesAbsence();

        /// Somebody else's Secret, with no label of ours.
        void putForeign(ClusterRef ref, RingSecrets.Kind kind, Content content);

        /// The same without `tls.crt`.
        void putIncomplete(ClusterRef ref, RingSecrets.Kind kind);

        void lose(ClusterRef ref, RingSecrets.Kind kind);

        @Override
        void close();
    }

    private World world;
    private RingSecrets secrets;
    private ClusterRef ref;

    protected abstract World open();

    @BeforeEach
    void start() {
        world = open();
        secrets = world.secrets();
        ref = new ClusterRef(world.namespace(), "db");
    }

    @AfterEach
    void stop() {
        if (world != null) {
            world.close();
        }
    }

    private static Content content(String text) {
        return new Content(bytes("certificate " + text), bytes("key " + text), bytes("ca " + text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void failsWith(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GatewayException.class, e -> {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
            assertThat(e.mayHaveHappened()).isFalse();
            assertThat(e.getMessage()).doesNotContain("key one", "key two");
        });
    }

    @ParameterizedTest
    @EnumSource(RingSecrets.Kind.class)
    void readsWhatItHasWritten(RingSecrets.Kind kind) {
        String version = secrets.write(ref, kind, content("one"), Optional.empty(), 4);

        assertThat(secrets.read(ref, kind)).contains(new Stored(content("one"), version, true));
    }

    @Test
    void absenceIsProven() {
        assumeTrue(world.provesAbsence(), "this API server does not say what is absent");

        assertThat(secrets.read(ref, RingSecrets.Kind.CA)).isEmpty();
    }

    @Test
    void createsNoSecretTwice() {
        secrets.write(ref, RingSecrets.Kind.CA, content("one"), Optional.empty(), 4);

        failsWith(Kind.CONFLICT, () -> secrets.write(ref, RingSecrets.Kind.CA, content("two"), Optional.empty(), 5));

        assertThat(secrets.read(ref, RingSecrets.Kind.CA).orElseThrow().content())
                .isEqualTo(content("one"));
    }

    @Test
    void onlyTheOneThatWasReadIsReplaced() {
        String first = secrets.write(ref, RingSecrets.Kind.PEER, content("one"), Optional.empty(), 4);

        String second = secrets.write(ref, RingSecrets.Kind.PEER, content("two"), Optional.of(first), 4);

        failsWith(
                Kind.CONFLICT, () -> secrets.write(ref, RingSecrets.Kind.PEER, content("one"), Optional.of(first), 4));
        assertThat(secrets.read(ref, RingSecrets.Kind.PEER)).contains(new Stored(content("two"), second, true));
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void writeDoesNotRecreateDeletedSecret() {
        assumeTrue(world.provesAbsence(), "this API server does not say what is absent");
        String version = secrets.write(ref, RingSecrets.Kind.PEER, content("one"), Optional.empty(), 4);
        world.lose(ref, RingSecrets.Kind.PEER);

        failsWith(
                Kind.CONFLICT,
                () -> secrets.write(ref, RingSecrets.Kind.PEER, content("two"), Optional.of(version), 4));

        assertThat(secrets.read(ref, RingSecrets.Kind.PEER)).isEmpty();
    }

    @Test
    void refusesWriteOfOlderEpoch() {
        String version = secrets.write(ref, RingSecrets.Kind.SERVER, content("one"), Optional.empty(), 4);

        failsWith(
                Kind.CONFLICT,
                () -> secrets.write(ref, RingSecrets.Kind.SERVER, content("two"), Optional.of(version), 3));
        secrets.write(ref, RingSecrets.Kind.SERVER, content("two"), Optional.of(version), 5);

        assertThat(secrets.read(ref, RingSecrets.Kind.SERVER).orElseThrow().content())
                .isEqualTo(content("two"));
    }

    @Test
    void readsForeignSecretAndNeverOverwritesIt() {
        world.putForeign(ref, RingSecrets.Kind.CLIENT, content("one"));

        var stored = secrets.read(ref, RingSecrets.Kind.CLIENT).orElseThrow();

        assertThat(stored.ours()).isFalse();
        assertThat(stored.content()).isEqualTo(content("one"));
        failsWith(
                Kind.REJECTED,
                () -> secrets.write(
                        ref, RingSecrets.Kind.CLIENT, content("two"), Optional.of(stored.resourceVersion()), 9));
        assertThat(secrets.read(ref, RingSecrets.Kind.CLIENT)).contains(stored);
    }

    @Test
    void refusesSecretThatLacksEntry() {
        world.putIncomplete(ref, RingSecrets.Kind.CLIENT);

        failsWith(Kind.REJECTED, () -> secrets.read(ref, RingSecrets.Kind.CLIENT));
        assertThatThrownBy(() -> secrets.read(ref, RingSecrets.Kind.CLIENT))
                .hasMessageContaining(ref.namespace() + "/db-client-tls")
                .hasMessageContaining("tls.crt");
    }

    @Test
    void textFormShowsNoKey() {
        var one = content("one");

        assertThat(new Stored(one, "1", true).toString()).doesNotContain("key", "[107");
        assertThat(one).hasToString("Content[***]").isEqualTo(content("one")).hasSameHashCodeAs(content("one"));
        one.key()[0] = 0;
        assertThat(one).isEqualTo(content("one")).isNotEqualTo(content("two"));
    }
}
