package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RingEvents;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.tunnel.PodRoutes;
import io.github.etcdgitops.gateway.kube.write.EventObjects;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every method of every port to Kubernetes is called with something of each type that it takes. Whatever it then asks
/// of the API server about a ring is asked with the rights of the ring's account, also by methods that are yet to come.
class RingRequestsTest {
    private static final ClusterRef RING = new ClusterRef("team-a", "orders");
    private static final String ACCOUNT = "system:serviceaccount:team-a:rings";

    /// These ask nothing about a ring.
    private static final Set<String> OWN =
            Set.of("clusterUid", "serverTime", "namespaceSuspension", "podMayRun", "imageOf", "list", "expansion");

    /// These ask nothing at all.
    private static final Set<String> SILENT = Set.of("render", "drift", "templateDigest", "passwords", "close");

    /// Everybody may ask this.
    private static final Set<String> DISCOVERY = Set.of("/apis/policy", "/version");

    private final ScriptedApi server;

    RingRequestsTest() throws IOException {
        server = new ScriptedApi(List.of());
        server.otherwise(asked -> Optional.of(new ScriptedApi.Answer(200, answer(asked))));
        server.connection().act(ActingAccount.Rights.impersonating(_ -> Optional.empty(), Optional.of("rings")));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// An object of the ring, whichever was asked for.
    private static String answer(ScriptedApi.Asked asked) {
        var object = Tree.object();
        object.putArray("items");
        object.putArray("versions").addObject().put("version", "v1");
        Tree.metadata(object)
                .put("name", asked.uri().replaceAll("\\?.*", "").replaceAll(".*/", ""))
                .put("namespace", RING.namespace())
                .put("uid", "orders")
                .put("resourceVersion", "orders")
                .put("deletionTimestamp", "2026-11-25T12:00:00Z");
        var labels = Tree.metadata(object).putObject("labels");
        Labels.of(RING).forEach(labels::put);
        var spec = object.putObject("spec").put("replicas", 1);
        spec.putObject("template").putObject("spec");
        spec.withObjectProperty("template").putObject("metadata");
        object.putObject("data").putObject("spec").putObject("template");
        return Tree.text(object);
    }

    private record Port(Class<?> type, Object adapter) {}

    private List<Port> ports() {
        var connection = server.connection();
        return List.of(
                new Port(KubernetesGateway.class, new Fabric8Gateway(connection)),
                new Port(RingVolumes.class, new Fabric8RingVolumes(connection)),
                new Port(RingSecrets.class, new Fabric8RingSecrets(connection)),
                new Port(RingPasswords.class, new Fabric8RingPasswords(connection)),
                new Port(RestoreJobs.class, new Fabric8RestoreJobs(connection)),
                new Port(RingEvents.class, new EventObjects(connection, InstantSource.fixed(Instant.EPOCH))));
    }

    private static List<Method> methods(Class<?> port) {
        return Arrays.stream(port.getMethods())
                .filter(m -> !Modifier.isStatic(m.getModifiers()) && !SILENT.contains(m.getName()))
                .toList();
    }

    private static void call(Object adapter, Method method) throws ReflectiveOperationException {
        var arguments = Arrays.stream(method.getParameterTypes())
                .map(RingRequestsTest::sample)
                .toArray();
        try {
            method.invoke(adapter, arguments);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof GatewayException)) {
                throw new AssertionError(method.getName(), e.getCause());
            }
        }
    }

    private static Object sample(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "ClusterRef" -> RING;
            case "String", "Object" -> "orders";
            case "int", "Integer" -> 1;
            case "long", "Long" -> 1L;
            case "boolean" -> false;
            case "byte[]" -> new byte[] {1};
            case "Optional" -> Optional.empty();
            case "List" -> List.of();
            case "Set" -> Set.of();
            case "Map" -> Map.of();
            case "SortedMap" -> new TreeMap<>();
            case "SortedSet" -> new TreeSet<>();
            case "Instant" -> Instant.EPOCH;
            case "Duration" -> Duration.ofMinutes(1);
            case "Predicate" -> (Predicate<Object>) _ -> true;
            case "SnapshotDigest" -> new SnapshotDigest(1, "0".repeat(64));
            case "RingObjects" -> Samples.full(RING);
            default -> made(type);
        };
    }

    private static Object made(Class<?> type) {
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isSealed()) {
            return sample(type.getPermittedSubclasses()[0]);
        }
        if (type.isInterface() || !type.isRecord()) {
            throw new AssertionError("say what a sample of " + type + " is");
        }
        try {
            var parts = type.getRecordComponents();
            var types = Arrays.stream(parts).map(p -> p.getType()).toArray(Class<?>[]::new);
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(
                    Arrays.stream(types).map(RingRequestsTest::sample).toArray());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("nothing of the type " + type + " can be made here", e);
        }
    }

    @Test
    void whateverIsAskedAboutARingIsAskedAsItsAccount() throws ReflectiveOperationException {
        var problems = new TreeMap<String, List<String>>();

        for (var port : ports()) {
            for (var method : methods(port.type())) {
                int before = server.asked().size();
                call(port.adapter(), method);
                var asked = IntStream.range(before, server.asked().size())
                        .filter(i -> !DISCOVERY.contains(server.asked().get(i).uri()))
                        .boxed()
                        .toList();
                var wrong = asked.stream()
                        .filter(i -> OWN.contains(method.getName())
                                == server.users().get(i).equals(ACCOUNT))
                        .map(i -> server.asked().get(i).method() + " "
                                + server.asked().get(i).uri() + " as '"
                                + server.users().get(i) + "'")
                        .toList();
                String name = port.type().getSimpleName() + "." + method.getName();
                if (!wrong.isEmpty()) {
                    problems.put(name, wrong);
                }
                if (asked.isEmpty()) {
                    problems.put(name, List.of("asked nothing, so nothing was shown"));
                }
            }
        }

        assertThat(problems).isEmpty();
    }

    @Test
    void portsAreForwardedAsTheAccountOfTheRingThatAPodWorksFor() {
        try (var routes = new PodRoutes(server.connection(), MemberAccessMode.PORT_FORWARD)) {
            assertThat(catchThrowable(() -> routes.open(RING, 0, "10.0.0.1", MemberAccess.Door.CLIENT)))
                    .isInstanceOf(GatewayException.class);
            assertThat(catchThrowable(
                            () -> routes.open(new MemberAccess.Pod(RING, "drills", "orders-drill", ""), 2379)))
                    .isInstanceOf(GatewayException.class);
        }

        assertThat(server.asked()).extracting(ScriptedApi.Asked::uri).allMatch(uri -> uri.contains("/portforward?"));
        assertThat(server.users()).containsExactly(ACCOUNT, ACCOUNT);
    }
}
