package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingSecretsContract;
import io.github.etcdgitops.spec.value.ClusterRef;
import org.junit.jupiter.api.Test;

class FakeSecretsTest extends RingSecretsContract {
    @Override
    protected World open() {
        return new OnFake(new FakeWorld().secrets());
    }

    private record OnFake(FakeSecrets fake) implements World {
        @Override
        public RingSecrets secrets() {
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
        public void putForeign(ClusterRef ref, RingSecrets.Kind kind, RingSecrets.Content content) {
            fake.putByHand(ref, kind, content);
        }

        @Override
        public void putIncomplete(ClusterRef ref, RingSecrets.Kind kind) {
            fake.putIncomplete(ref, kind);
        }

        @Override
        public void lose(ClusterRef ref, RingSecrets.Kind kind) {
            fake.lose(ref, kind);
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
        var port = world.secrets().port();
        world.secrets().forbid(ref, RingSecrets.Kind.CA);

        var forbidden = catchThrowableOfType(GatewayException.class, () -> port.read(ref, RingSecrets.Kind.CA));
        world.apiDown();
        var down = catchThrowableOfType(GatewayException.class, () -> port.read(ref, RingSecrets.Kind.CLIENT));

        assertThat(forbidden.kind()).isEqualTo(GatewayException.Kind.UNAUTHORIZED);
        assertThat(down.kind()).isEqualTo(GatewayException.Kind.UNREACHABLE);
    }
}
