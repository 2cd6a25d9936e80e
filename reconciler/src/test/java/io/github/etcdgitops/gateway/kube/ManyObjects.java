package io.github.etcdgitops.gateway.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStore.Entry;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.read.FleetList;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// A process with a small heap that lists what whoever may label an object, or write to a place of backups, can make:
/// much more than fits.
final class ManyObjects {
    static final ClusterRef RING = new ClusterRef("demo", "orders");

    private static final int LARGE = 150;
    private static final int JUNK = 10_000;
    private static final int KEYS = 1_000_000;
    private static final String MIB = "x".repeat(1 << 20);

    private ManyObjects() {}

    public static void main(String[] arguments) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", ManyObjects::answer);
        server.start();
        var config = new ConfigBuilder()
                .withAutoConfigure(false)
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        try (var connection = KubeConnection.of(config, KubeConnection.Settings.DEFAULT)) {
            var listing = new FleetList(connection.own(), List.of()).list(RING::equals);
            System.out.println("rings " + listing.refs().size() + ", ours "
                    + listing.refs().contains(RING));
            listing.leftOut().forEach(System.out::println);
        } finally {
            server.stop(0);
        }
        try {
            BackupCatalog.of(endless(), "prod", Instant.parse("2026-01-01T00:00:00Z"));
        } catch (GatewayException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            try (var out = new BufferedOutputStream(exchange.getResponseBody())) {
                write(out, "{\"metadata\":{},\"items\":[");
                if (exchange.getRequestURI().getPath().endsWith("/configmaps")) {
                    for (int i = 0; i < LARGE; i++) {
                        configMap(out, "large-" + i, MIB);
                    }
                    for (int i = 0; i < JUNK; i++) {
                        configMap(out, "junk-" + i, "x");
                    }
                    configMap(out, RING.name(), "x");
                }
                write(out, "null]}");
            }
        }
    }

    private static void configMap(OutputStream out, String ring, String text) throws IOException {
        write(out, """
            {"metadata":{"namespace":"demo","name":"%s-journal","labels":{
            "app.kubernetes.io/managed-by":"etcd-gitops","etcdgitops.dev/cluster":"%s"}},"data":{"journal.json":"%s"}},
            """.formatted(ring, ring, text));
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /// A place with a million keys, which does nothing but list them.
    private static BackupStore endless() {
        return (BackupStore) Proxy.newProxyInstance(
                ManyObjects.class.getClassLoader(), new Class<?>[] {BackupStore.class}, (self, method, given) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(self, method, given);
                    }
                    if (method.getName().equals("list")) {
                        list((String) given[0], (Consumer<?>) given[1]);
                    }
                    return method.getName().equals("title") ? "s3://backups/" : null;
                });
    }

    @SuppressWarnings("unchecked")
    private static void list(String prefix, Consumer<?> each) {
        for (int i = 0; i < KEYS; i++) {
            ((Consumer<Entry>) each).accept(new Entry(prefix + "k".repeat(500) + i, 1, Instant.EPOCH));
        }
    }
}
