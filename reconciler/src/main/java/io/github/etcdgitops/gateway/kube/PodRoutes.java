package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.ClusterRef;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Ways to members' pods. One of these lives for one run, so what `auto` has learned does as well.
///
/// `auto` only learns from success: a pod IP that does not answer may be a dead pod as well as a network that is not
/// ours, so it says nothing about the next one until a port-forward has got through where the pod IP did not.
public final class PodRoutes implements MemberAccess {
    private static final Duration FIRST_TRY = Duration.ofSeconds(1);

    private final KubeConnection connection;
    private final MemberAccessMode mode;
    private final Set<PodTunnel> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable MemberAccessMode learned;

    public PodRoutes(KubeConnection connection, MemberAccessMode mode) {
        this.connection = connection;
        this.mode = mode;
    }

    @Override
    public Route open(ClusterRef ref, int ordinal, String podIp, int port) {
        return open(new Pod(ref.namespace(), ref.podName(ordinal), podIp), port, ref.memberHost(ordinal));
    }

    @Override
    public Route open(Pod pod, int port) {
        return open(pod, port, pod.ip());
    }

    private Route open(Pod pod, int port, String authority) {
        MemberAccessMode known = learned;
        return switch (mode == MemberAccessMode.AUTO && known != null ? known : mode) {
            case POD_IP -> direct(pod, port, authority);
            case PORT_FORWARD -> forward(pod, port, authority);
            case AUTO -> {
                yield switch (tried(pod.ip(), port)) {
                    case ANSWERS -> {
                        learned = MemberAccessMode.POD_IP;
                        yield direct(pod, port, authority);
                    }
                    // Somebody is there, and nobody listens yet: that says nothing about the next try.
                    case REFUSES -> direct(pod, port, authority);
                    case SILENT -> {
                        Route route = forward(pod, port, authority);
                        learned = MemberAccessMode.PORT_FORWARD;
                        yield route;
                    }
                };
            }
        };
    }

    private static Route direct(Pod pod, int port, String authority) {
        if (pod.ip().isBlank()) {
            throw new GatewayException(Kind.UNREACHABLE, false, "pod " + pod + " has no IP");
        }
        return new Direct(pod.ip(), port, authority);
    }

    private Route forward(Pod pod, int port, String authority) {
        PodTunnel tunnel = PodTunnel.open(connection, pod, port, authority, open::remove);
        open.add(tunnel);
        return tunnel;
    }

    private enum Tried {
        ANSWERS,
        REFUSES,
        SILENT
    }

    private static Tried tried(String podIp, int port) {
        if (podIp.isBlank()) {
            return Tried.REFUSES;
        }
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(podIp, port), Math.toIntExact(FIRST_TRY.toMillis()));
            return Tried.ANSWERS;
        } catch (ConnectException e) {
            return String.valueOf(e.getMessage()).contains("refused") ? Tried.REFUSES : Tried.SILENT;
        } catch (IOException _) {
            return Tried.SILENT;
        }
    }

    @Override
    public void close() {
        open.forEach(PodTunnel::close);
    }

    private record Direct(String host, int port, String authority) implements Route {
        @Override
        public Way way() {
            return Way.POD_IP;
        }

        @Override
        public void close() {}
    }
}
