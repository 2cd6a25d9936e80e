package io.github.etcdgitops.trial.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The users of a trial's rings. With `--users`, each ring has authentication, and one user beside root: the trial's
/// client. Its name is the common name in the ring's client certificate, so that it needs no password over TLS.
public final class TrialUsers {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Bench bench;
    private final Set<String> rings = ConcurrentHashMap.newKeySet();
    private final Map<String, SignIn> clients = new ConcurrentHashMap<>();
    private final Map<String, SignIn> roots = new ConcurrentHashMap<>();

    TrialUsers(Bench bench) {
        this.bench = bench;
    }

    /// Lines for the spec of a ring: none where `more` has its own, or where its version has no roles.
    String lines(String ring, String version, String more) {
        boolean old =
                EtcdVersion.parse(version).filter(v -> !v.atLeast(3, 4, 0)).isPresent();
        if (!bench.options().users() || old || more.contains("auth:")) {
            return "";
        }
        rings.add(ring);
        return """
            auth:
              roles:
                - name: trial
                  grants: [{prefix: load/, access: readwrite}]
              users:
                - {name: %s, roles: [trial], password: {generate: true}}
            """.formatted(client(ring));
    }

    private static String client(String ring) {
        return ring + "-client";
    }

    /// For the trial's client. Over TLS its certificate serves; what has to sign in all the same does so there too.
    SignIn client(String ring, boolean secured) {
        return clients.computeIfAbsent(
                ring + " " + secured,
                _ -> signIn(ring, client(ring), ring + "-user-" + client(ring), () -> addresses(ring)));
    }

    /// For what etcd shows to root alone.
    SignIn root(String ring) {
        return roots.computeIfAbsent(ring, _ -> root(ring, () -> addresses(ring)));
    }

    /// At a member that is not the ring's, and has its data.
    SignIn rootAt(String ring, String address) {
        return root(ring, () -> List.of(address));
    }

    private SignIn root(String ring, Supplier<List<String>> addresses) {
        return signIn(ring, "root", rootSecret(ring), addresses);
    }

    private SignIn signIn(String ring, String user, String secret, Supplier<List<String>> addresses) {
        return new SignIn(new Authenticating(bench, ring, user, secret, addresses)::token);
    }

    private List<String> addresses(String ring) {
        return new Members(bench, ring)
                .pods().stream()
                        .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                        .map(ip -> ip + ":2379")
                        .toList();
    }

    private static String rootSecret(String ring) {
        return ring + "-root-auth";
    }

    /// Whether root signs in, where the ring's document has users.
    boolean areReady(String ring) {
        return !rings.contains(ring)
                || new Authenticating(bench, ring, "root", rootSecret(ring), () -> addresses(ring))
                        .token()
                        .isPresent();
    }

    /// Lines for the spec of a ring that is to lose its quorum: with a password, nobody signs in there any more.
    public String tls() {
        return bench.options().users() ? "tls: {peer: mutual, client: mutual}\n" : "";
    }

    /// As whoever restores a backup has to do: the data has the password that root had.
    public void restoreRoot(String from, String to) {
        if (rings.contains(from)) {
            var secrets = bench.kube().secrets().inNamespace(bench.namespace());
            secrets.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withName(rootSecret(to))
                            .endMetadata()
                            .withData(secrets.withName(rootSecret(from)).get().getData())
                            .build())
                    .createOr(existing -> existing.update());
        }
    }

    /// One user's way to a token: whichever member gives it. While the API server is away, what was read before counts.
    private static final class Authenticating {
        private final Bench bench;
        private final String user;
        private final String secret;
        private final Supplier<List<String>> addresses;
        private final HttpGateway gateway;
        private Optional<String> password = Optional.empty();
        private List<String> known = List.of();

        private Authenticating(Bench bench, String ring, String user, String secret, Supplier<List<String>> addresses) {
            this.bench = bench;
            this.addresses = addresses;
            this.user = user;
            this.secret = secret;
            this.gateway = new HttpGateway(bench.tls(ring));
        }

        Optional<String> token() {
            read();
            return password.flatMap(p -> {
                String body = JSON.createObjectNode()
                        .put("name", user)
                        .put("password", p)
                        .toString();
                return known.stream()
                        .flatMap(
                                address -> gateway.post(address, "/auth/authenticate", body, Optional.empty()).stream())
                        .filter(answer -> answer.statusCode() == 200)
                        .map(answer -> token(answer.body()))
                        .findFirst();
            });
        }

        private void read() {
            try {
                known = addresses.get();
                password = Optional.ofNullable(bench.kube()
                                .secrets()
                                .inNamespace(bench.namespace())
                                .withName(secret)
                                .get())
                        .map(Authenticating::password);
            } catch (KubernetesClientException _) {
                return;
            }
        }

        private static String password(Secret secret) {
            return new String(Base64.getDecoder().decode(secret.getData().get("password")), StandardCharsets.UTF_8);
        }

        private static String token(String body) {
            try {
                return JSON.readTree(body).path("token").asText();
            } catch (JsonProcessingException e) {
                throw new TrialFailure("no JSON: " + e.getMessage());
            }
        }
    }
}
