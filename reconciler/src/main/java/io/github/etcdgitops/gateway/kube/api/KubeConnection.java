package io.github.etcdgitops.gateway.kube.api;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.access.ActingAccount;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// The connection to one Kubernetes cluster, shared by the gateway and the routes to members.
public final class KubeConnection implements AutoCloseable {
    private final Config configuration;
    private final HttpClient http;
    private final Settings settings;
    private final ApiCounts counts;
    private final KubeApi own;
    private final RingApis rings;

    /// Without `kubeconfig`, it uses kubectl's configuration, or the service account inside a pod. Without
    /// `namespaces`, all of them.
    ///
    /// `maxInFlight` replaces the request rate of other clients: since 1.20 the API server shares itself
    /// among its clients, and only the number of this process's waiting requests needs a limit.
    public record Settings(
            Optional<Path> kubeconfig,
            Optional<String> context,
            List<String> namespaces,
            int maxInFlight,
            Duration connectTimeout,
            Duration requestTimeout) {
        public static final Settings DEFAULT = new Settings(
                Optional.empty(), Optional.empty(), List.of(), 50, Duration.ofSeconds(5), Duration.ofSeconds(10));

        public Settings {
            namespaces = List.copyOf(namespaces);
        }

        public Settings withKubeconfig(Path file) {
            return new Settings(Optional.of(file), context, namespaces, maxInFlight, connectTimeout, requestTimeout);
        }

        public Settings withContext(String name) {
            return new Settings(kubeconfig, Optional.of(name), namespaces, maxInFlight, connectTimeout, requestTimeout);
        }

        public Settings withNamespaces(List<String> only) {
            return new Settings(kubeconfig, context, only, maxInFlight, connectTimeout, requestTimeout);
        }
    }

    private KubeConnection(Config configuration, HttpClient http, Settings settings, ApiCounts counts) {
        this.configuration = configuration;
        this.http = http;
        this.settings = settings;
        this.counts = counts;
        this.own = new KubeApi(url(), http, settings.requestTimeout(), settings.maxInFlight());
        this.rings = new RingApis(own, ActingAccount.Rights.OWN);
    }

    /// Makes no request yet. Throws [GatewayException] REJECTED for an unusable kubeconfig or context.
    public static KubeConnection open(Settings settings, Map<String, String> environment) {
        try {
            return of(config(settings, environment), settings);
        } catch (GatewayException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Parsers quote their input, and a kubeconfig holds credentials: only the kind of problem is
            // passed on.
            throw new GatewayException(
                    Kind.REJECTED,
                    false,
                    settings.kubeconfig().map(p -> "the kubeconfig " + p).orElse("the Kubernetes configuration found")
                            + " cannot be used (" + Errors.name(e) + ")");
        }
    }

    public static KubeConnection of(Config config, Settings settings) {
        Config bounded = new ConfigBuilder(config)
                .withConnectionTimeout(Math.toIntExact(settings.connectTimeout().toMillis()))
                .withRequestTimeout(Math.toIntExact(settings.requestTimeout().toMillis()))
                .withRequestRetryBackoffLimit(0)
                .withUserAgent("etcd-gitops")
                .build();
        var counts = new ApiCounts();
        // The HTTP client alone, with credentials, proxies and TLS as kubectl has them. A whole client of the library
        // loads a thousand classes of object types, and objects are read as trees here.
        var http = new Threads()
                .newBuilder(bounded)
                .addOrReplaceInterceptor("etcd-gitops-counts", counts)
                .build();
        return new KubeConnection(bounded, http, settings, counts);
    }

    private static Config config(Settings settings, Map<String, String> environment) throws IOException {
        @Nullable String context = settings.context().orElse(null);
        Config config = settings.kubeconfig().isPresent()
                ? fromFile(settings.kubeconfig().get(), context)
                : found(KubeconfigFiles.found(environment), context);
        // An unknown context would otherwise silently mean another cluster.
        if (context != null
                && (config.getCurrentContext() == null
                        || !context.equals(config.getCurrentContext().getName()))) {
            throw new GatewayException(Kind.REJECTED, false, "there is no context " + context + " in the kubeconfig");
        }
        return config;
    }

    /// With proxies and other settings of the environment.
    private static Config found(List<Path> files, @Nullable String context) throws IOException {
        if (files.isEmpty()) {
            return Config.autoConfigure(context);
        }
        Config config = KubeconfigFiles.read(files, context);
        Config.configFromSysPropsOrEnvVars(config);
        return config;
    }

    private static Config fromFile(Path file, @Nullable String context) throws IOException {
        if (!Files.isReadable(file)) {
            throw new NoSuchFileException(file.toString());
        }
        Config config = KubeconfigFiles.read(List.of(file), context);
        if (config.getCurrentContext() == null) {
            throw new GatewayException(Kind.REJECTED, false, "the kubeconfig " + file + " names no current context");
        }
        return config;
    }

    /// Which configuration is used, and where it leads: no credentials.
    public String described() {
        var context = configuration.getCurrentContext();
        return settings.kubeconfig().map(file -> file + ", ").orElse("")
                + (context == null ? "the service account of this pod" : "context " + context.getName()) + ", "
                + address();
    }

    public String address() {
        var url = URI.create(url());
        return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    }

    /// The accounts for requests about rings, from now on. Without it: the connection's own.
    public void act(ActingAccount.Rights rights) {
        if (!rights.equals(ActingAccount.Rights.OWN) && configuration.getImpersonateUsername() != null) {
            throw new GatewayException(
                    Kind.REJECTED,
                    false,
                    "the Kubernetes configuration already impersonates a user, and a request can do this only once."
                            + " Remove it there, or set --no-impersonation");
        }
        rings.use(rights);
    }

    /// For requests that concern no particular ring: the LISTs, the reconciler's own namespace, objects
    /// without a namespace.
    public KubeApi own() {
        return own;
    }

    /// For all other requests.
    public RingApis rings() {
        return rings;
    }

    /// With credentials: never printed.
    public Config configuration() {
        return configuration;
    }

    public HttpClient http() {
        return http;
    }

    /// The URL of the API server, with a slash at the end.
    public String url() {
        return configuration.getMasterUrl();
    }

    public Settings settings() {
        return settings;
    }

    ApiCounts counts() {
        return counts;
    }

    /// Requests so far, by verb and kind, repeated ones included.
    public SortedMap<String, Long> apiCalls() {
        return counts.snapshot();
    }

    @Override
    public void close() {
        http.close();
    }

    /// Virtual threads handle the answers: the client's own pool would grow with the requests under way.
    static final class Threads extends JdkHttpClientFactory {
        private final ClosingClient client = new ClosingClient(super.createNewHttpClientBuilder());

        @Override
        protected java.net.http.HttpClient.Builder createNewHttpClientBuilder() {
            return client;
        }

        @Override
        protected void closeHttpClient(JdkHttpClientImpl closed) {
            client.close();
        }

        boolean isOpen() {
            return client.isOpen();
        }

        @Override
        protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
            builder.executor(Executors.newVirtualThreadPerTaskExecutor());
        }
    }
}
