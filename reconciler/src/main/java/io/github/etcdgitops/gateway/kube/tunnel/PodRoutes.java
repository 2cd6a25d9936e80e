package io.github.etcdgitops.gateway.kube.tunnel;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Routes to members' pods. One instance lives for one run, and so does what `auto` has learned.
///
/// `auto` only learns from success: a pod IP that does not answer may mean a dead pod or an unreachable
/// network. So it says nothing about the next pod until a port-forward has worked where the pod IP did not.
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
    public Route open(ClusterRef ref, int ordinal, String podIp, Door door) {
        var pod = new Pod(ref, ref.namespace(), ref.podName(ordinal), podIp);
        return open(new PodPort(pod, door.port(), ref.memberHost(ordinal), door, Optional.of(ref)));
    }

    @Override
    public Route open(Pod pod, int port) {
        return open(new PodPort(pod, port, pod.ip(), Door.CLIENT, Optional.empty()));
    }

    private Route open(PodPort target) {
        MemberAccessMode known = learned;
        return switch (mode == MemberAccessMode.AUTO && known != null ? known : mode) {
            case POD_IP -> direct(target);
            case PORT_FORWARD -> forward(target);
            case AUTO -> {
                yield switch (tried(target.pod().ip(), target.port())) {
                    case ANSWERS -> {
                        learned = MemberAccessMode.POD_IP;
                        yield direct(target);
                    }
                    // The pod exists and does not listen yet: that says nothing about the next try.
                    case REFUSES -> direct(target);
                    case SILENT -> {
                        Route route = forward(target);
                        learned = MemberAccessMode.PORT_FORWARD;
                        yield route;
                    }
                };
            }
        };
    }

    private static Route direct(PodPort target) {
        if (target.pod().ip().isBlank()) {
            throw new GatewayException(Kind.UNREACHABLE, false, "pod " + target.pod() + " has no IP");
        }
        return new Direct(target);
    }

    private Route forward(PodPort target) {
        PodTunnel tunnel = PodTunnel.open(connection, target, open::remove);
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

    private record Direct(PodPort target) implements Route {
        @Override
        public String host() {
            return target.pod().ip();
        }

        @Override
        public int port() {
            return target.port();
        }

        @Override
        public String authority() {
            return target.authority();
        }

        @Override
        public Way way() {
            return Way.POD_IP;
        }

        @Override
        public Door door() {
            return target.door();
        }

        @Override
        public Optional<ClusterRef> ring() {
            return target.ring();
        }

        @Override
        public void close() {}
    }
}
