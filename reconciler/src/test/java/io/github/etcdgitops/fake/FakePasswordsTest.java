package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingPasswordsContract;
import io.github.etcdgitops.spec.value.ClusterRef;
import org.junit.jupiter.api.Test;

class FakePasswordsTest extends RingPasswordsContract {
    @Override
    protected World open() {
        return new OnFake(new FakeWorld().passwords());
    }

    private record OnFake(FakePasswords fake) implements World {
        @Override
        public RingPasswords passwords() {
            return fake.port();
        }

        @Override
        public String namespace() {
            return "demo";
        }

        @Override
        public boolean provesAbsence() {
            return true;
        }

        @Override
        public void putForeign(ClusterRef ref, String name, String key, String value) {
            fake.putByHand(ref, name, key, value);
        }

        @Override
        public void lose(ClusterRef ref, String name) {
            fake.lose(ref, name);
        }

        @Override
        public void close() {
            // Nothing is left behind.
        }
    }

    @Test
    void tellsForbiddenFromUnreachable() {
        var world = new FakeWorld();
        var ref = new ClusterRef("demo", "orders");
        var port = world.passwords().port();
        world.passwords().forbid(ref, RingPasswords.rootSecret(ref));

        var forbidden = catchThrowableOfType(GatewayException.class, () -> port.root(ref));
        world.apiDown();
        var down = catchThrowableOfType(GatewayException.class, () -> port.read(ref, "other", "key"));

        assertThat(forbidden.kind()).isEqualTo(GatewayException.Kind.UNAUTHORIZED);
        assertThat(down.kind()).isEqualTo(GatewayException.Kind.UNREACHABLE);
    }
}
