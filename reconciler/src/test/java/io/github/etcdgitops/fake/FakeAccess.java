package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;

/// Opens a way to any address; whether somebody lives there shows when it is used. A member hidden from
/// us is refused here already, as a port-forward would be.
final class FakeAccess implements MemberAccess {
    private final FakeWorld world;

    FakeAccess(FakeWorld world) {
        this.world = world;
    }

    @Override
    public Route open(ClusterRef ref, int ordinal, String podIp, Door door) {
        var ring = world.ring(ref);
        if (ring.hidden.contains(ordinal)) {
            ring.sight.failedProbes.add(ordinal);
            throw new GatewayException(GatewayException.Kind.UNREACHABLE, false, "no way to " + ref.podName(ordinal));
        }
        return new FakeRoute(ref, ordinal, podIp, door);
    }

    @Override
    public Route open(Pod pod, int port) {
        return new ToPod(pod, port);
    }

    @Override
    public void close() {}

    record ToPod(Pod pod, int port) implements Route {
        @Override
        public String host() {
            return pod.ip();
        }

        @Override
        public String authority() {
            return pod.ip();
        }

        @Override
        public Way way() {
            return Way.POD_IP;
        }

        @Override
        public void close() {}
    }

    record FakeRoute(ClusterRef ref, int ordinal, String host, Door door) implements Route {
        @Override
        public int port() {
            return door.port();
        }

        @Override
        public Optional<ClusterRef> ring() {
            return Optional.of(ref);
        }

        @Override
        public Way way() {
            return Way.POD_IP;
        }

        @Override
        public String authority() {
            return ref.memberHost(ordinal);
        }

        @Override
        public void close() {}
    }
}
