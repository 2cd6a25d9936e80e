package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.ClusterRef;
import java.util.Objects;

/// Ways to members: by pod IP.
public final class PodRoutes implements MemberAccess {
    /// How members are reached.
    public enum Mode {
        AUTO,
        POD_IP,
        PORT_FORWARD;

        public static Mode parse(String text) {
            return switch (text) {
                case "auto" -> AUTO;
                case "pod-ip" -> POD_IP;
                case "port-forward" -> PORT_FORWARD;
                default ->
                    throw new GatewayException(GatewayException.Kind.REJECTED, false, "unknown member access " + text);
            };
        }
    }

    public static PodRoutes open(KubeConnection connection, Mode mode) {
        Objects.requireNonNull(connection);
        Objects.requireNonNull(mode);
        return new PodRoutes();
    }

    @Override
    public Route open(ClusterRef ref, int ordinal, String podIp, int port) {
        return new Direct(podIp, port, ref.memberHost(ordinal));
    }

    private record Direct(String host, int port, String authority) implements Route {
        @Override
        public void close() {}
    }

    @Override
    public void close() {}
}
