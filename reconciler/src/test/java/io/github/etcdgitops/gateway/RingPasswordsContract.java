package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingPasswords.Stored;
import io.github.etcdgitops.gateway.RingPasswords.Touched;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Transport;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the product relies on in [RingPasswords]; the fake and the adapter pass it alike.
public abstract class RingPasswordsContract {
    /// An empty namespace for one test, and what a test has to do there behind the port's back.
    public interface World extends AutoCloseable {
        RingPasswords passwords();

        String namespace();

        /// Whether an answer of 404 says what is absent, as a real API server's does.
        boolean provesAbsence();

        /// Somebody else's Secret with one entry, and no label of ours.
        void putForeign(ClusterRef ref, String name, String key, String value);

        void lose(ClusterRef ref, String name);

        @Override
        void close();
    }

    private static final Password ONE = new Password("one sesame");
    private static final Password TWO = new Password("two~swordfish");

    private World world;
    private RingPasswords passwords;
    private ClusterRef ref;

    protected abstract World open();

    @BeforeEach
    void start() {
        world = open();
        passwords = world.passwords();
        ref = new ClusterRef(world.namespace(), "db");
    }

    @AfterEach
    void stop() {
        if (world != null) {
            world.close();
        }
    }

    private RingObjects wanted(long epoch) {
        return ContractRing.of(ref, 1, epoch);
    }

    private static RingObjects secured(RingObjects plain) {
        var clients = new Transport(Transport.Mode.PLAIN, Transport.Mode.MIXED);
        return new RingObjects(
                plain.spec(),
                plain.applied().with(clients),
                plain.voters(),
                plain.minAvailable(),
                plain.epoch(),
                Optional.of("a CA"));
    }

    private static void failsWith(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GatewayException.class, e -> {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
            assertThat(e.mayHaveHappened()).isFalse();
            assertThat(e.getMessage()).doesNotContain("sesame", "swordfish");
        });
    }

    @Test
    void readsPasswordOfRootThatItHasWritten() {
        String first = passwords.writeRoot(ref, ONE, Optional.of(TWO), Optional.empty(), 4);
        assertThat(passwords.root(ref)).contains(new Stored(ONE, Optional.of(TWO), first, true));

        String second = passwords.writeRoot(ref, TWO, Optional.empty(), Optional.of(first), 4);
        assertThat(passwords.root(ref)).contains(new Stored(TWO, Optional.empty(), second, true));
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void readsPasswordOfUserThatItHasWritten() {
        String version = passwords.writeUser(wanted(4), "app", ONE, Optional.empty());

        assertThat(passwords.read(ref, "db-user-app", "password"))
                .contains(new Stored(ONE, Optional.empty(), version, true));
        assertThat(passwords.read(ref, "db-user-app", "username").map(Stored::password))
                .contains(new Password("app"));
        assertThat(passwords.read(ref, "db-user-app", "host").map(Stored::password))
                .contains(new Password("db." + ref.namespace() + ".svc"));
    }

    @Test
    void absenceIsProven() {
        assumeTrue(world.provesAbsence(), "this API server does not say what is absent");

        assertThat(passwords.root(ref)).isEmpty();
        assertThat(passwords.read(ref, "of-others", "key")).isEmpty();
    }

    @Test
    void readsAnEntryWhateverItContains() {
        world.putForeign(ref, "key-of-others", "tls.key", "line one\nline two\n");

        assertThat(passwords.entry(ref, "key-of-others", "tls.key"))
                .hasValueSatisfying(bytes -> assertThat(bytes).asString().isEqualTo("line one\nline two\n"));
        assertThat(passwords.entry(ref, "key-of-others", "another")).isEmpty();
    }

    @Test
    void createsNoSecretTwice() {
        passwords.writeRoot(ref, ONE, Optional.empty(), Optional.empty(), 4);
        passwords.writeUser(wanted(4), "app", ONE, Optional.empty());

        failsWith(Kind.CONFLICT, () -> passwords.writeRoot(ref, TWO, Optional.empty(), Optional.empty(), 5));
        failsWith(Kind.CONFLICT, () -> passwords.writeUser(wanted(5), "app", TWO, Optional.empty()));

        assertThat(passwords.root(ref).orElseThrow().password()).isEqualTo(ONE);
    }

    @Test
    void onlyTheOneThatWasReadIsReplaced() {
        String first = passwords.writeUser(wanted(4), "app", ONE, Optional.empty());
        String second = passwords.writeUser(wanted(4), "app", TWO, Optional.of(first));

        failsWith(Kind.CONFLICT, () -> passwords.writeUser(wanted(4), "app", ONE, Optional.of(first)));

        assertThat(passwords.read(ref, "db-user-app", "password"))
                .contains(new Stored(TWO, Optional.empty(), second, true));
    }

    @Test
    void writeDoesNotRecreateDeletedSecret() {
        assumeTrue(world.provesAbsence(), "this API server does not say what is absent");
        String version = passwords.writeRoot(ref, ONE, Optional.empty(), Optional.empty(), 4);
        world.lose(ref, "db-root-auth");

        failsWith(Kind.CONFLICT, () -> passwords.writeRoot(ref, TWO, Optional.empty(), Optional.of(version), 4));

        assertThat(passwords.root(ref)).isEmpty();
    }

    @Test
    void refusesWriteOfOlderEpoch() {
        String version = passwords.writeRoot(ref, ONE, Optional.empty(), Optional.empty(), 4);

        failsWith(Kind.CONFLICT, () -> passwords.writeRoot(ref, TWO, Optional.empty(), Optional.of(version), 3));
        passwords.writeRoot(ref, TWO, Optional.empty(), Optional.of(version), 5);

        assertThat(passwords.root(ref).orElseThrow().password()).isEqualTo(TWO);
    }

    @Test
    void readsForeignSecretAndNeverOverwritesIt() {
        world.putForeign(ref, "db-user-app", "password", "one sesame");

        var stored = passwords.read(ref, "db-user-app", "password").orElseThrow();

        assertThat(stored.ours()).isFalse();
        assertThat(stored.password()).isEqualTo(ONE);
        failsWith(
                Kind.REJECTED, () -> passwords.writeUser(wanted(9), "app", TWO, Optional.of(stored.resourceVersion())));
        assertThat(passwords.read(ref, "db-user-app", "password")).contains(stored);
    }

    @Test
    void writesHowToConnectBesideThePassword() {
        passwords.writeUser(wanted(4), "app", ONE, Optional.empty());
        assertThat(passwords.connectUser(wanted(4), "app")).isEqualTo(Touched.ALREADY_SO);

        assertThat(passwords.connectUser(secured(wanted(5)), "app")).isEqualTo(Touched.CHANGED);

        assertThat(passwords.read(ref, "db-user-app", "ca.crt").map(Stored::password))
                .contains(new Password("a CA"));
        assertThat(passwords.read(ref, "db-user-app", "password").map(Stored::password))
                .contains(ONE);
        failsWith(Kind.CONFLICT, () -> passwords.connectUser(wanted(4), "app"));
        assertThat(passwords.connectUser(wanted(5), "app")).isEqualTo(Touched.CHANGED);
        failsWith(Kind.REJECTED, () -> passwords.read(ref, "db-user-app", "ca.crt"));
    }

    @Test
    void removesSecretOfUser() {
        assumeTrue(world.provesAbsence(), "this API server does not say what is absent");
        assertThat(passwords.removeUser(ref, "app", 4)).isEqualTo(Touched.ABSENT);
        assertThat(passwords.connectUser(wanted(4), "app")).isEqualTo(Touched.ABSENT);
        passwords.writeUser(wanted(4), "app", ONE, Optional.empty());
        failsWith(Kind.CONFLICT, () -> passwords.removeUser(ref, "app", 3));

        assertThat(passwords.removeUser(ref, "app", 4)).isEqualTo(Touched.CHANGED);

        assertThat(passwords.read(ref, "db-user-app", "password")).isEmpty();
        assertThat(passwords.removeUser(ref, "app", 4)).isEqualTo(Touched.ABSENT);
    }

    @Test
    void leavesSecretOfSomebodyElse() {
        world.putForeign(ref, "db-user-app", "password", "one sesame");

        assertThat(passwords.removeUser(ref, "app", 9)).isEqualTo(Touched.FOREIGN);
        assertThat(passwords.connectUser(wanted(9), "app")).isEqualTo(Touched.FOREIGN);

        assertThat(passwords.read(ref, "db-user-app", "password").map(Stored::password))
                .contains(ONE);
    }

    @Test
    void refusesSecretThatLacksEntry() {
        world.putForeign(ref, "of-others", "password", "one sesame");

        failsWith(Kind.REJECTED, () -> passwords.read(ref, "of-others", "pass"));
        assertThatThrownBy(() -> passwords.read(ref, "of-others", "pass"))
                .hasMessageContaining("Secret " + ref.namespace() + "/of-others: it has no pass");
    }

    /// A file with a line break at its end is the usual mistake.
    @ParameterizedTest
    @ValueSource(strings = {"sesame\n", "sesame\t", "sesamé", "TOO LONG"})
    void refusesWhatIsNoPassword(String text) {
        world.putForeign(ref, "of-others", "pass", text.equals("TOO LONG") ? "sesame".repeat(12) + "s" : text);

        failsWith(Kind.REJECTED, () -> passwords.read(ref, "of-others", "pass"));
        assertThatThrownBy(() -> passwords.read(ref, "of-others", "pass"))
                .hasMessageContaining("Secret " + ref.namespace() + "/of-others: its pass is not valid")
                .hasMessageContaining("without a line break");
    }

    @Test
    void textFormShowsNoPassword() {
        assertThat(new Stored(ONE, Optional.of(TWO), "1", true).toString()).doesNotContain("sesame", "swordfish");
    }

    @Test
    void generatedPasswordHasLettersAndDigits() {
        var drawn = new int[1];

        var password = Password.generate(() -> "%08x".formatted(0x9e3779b9 * ++drawn[0]));

        assertThat(password.text()).hasSize(32).matches("[0-9a-f]+");
        assertThat(drawn[0]).isEqualTo(4);
    }
}
