package io.github.etcdgitops.trial.bench;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.it.ClientTls;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// A ring's clients as its Secret `NAME-client-tls` makes them, read anew each second; nobody, where
/// there is no such Secret.
public final class RingTls {
    private static final Duration KEPT = Duration.ofSeconds(1);

    private final Bench bench;
    private final String ring;
    private Optional<Client> known = Optional.empty();
    private long readAt = System.nanoTime() - KEPT.toNanos();

    RingTls(Bench bench, String ring) {
        this.bench = bench;
        this.ring = ring;
    }

    /// One state of the Secret, and what is made of it. `lenient` asks for no name, and shows none
    /// in a ring with users.
    public record Client(String version, byte[] ca, Credential credential, ClientTls tls, SSLContext lenient) {}

    public synchronized Optional<Client> client() {
        if (System.nanoTime() - readAt >= KEPT.toNanos()) {
            readAt = System.nanoTime();
            known = read();
        }
        return known;
    }

    /// Whoever has read it goes on with that while the API server is away.
    private Optional<Client> read() {
        try {
            return Optional.ofNullable(bench.kube()
                            .secrets()
                            .inNamespace(bench.namespace())
                            .withName(ring + "-client-tls")
                            .get())
                    .map(this::client);
        } catch (KubernetesClientException _) {
            return known;
        }
    }

    public Client require() {
        return client().orElseThrow(() -> new TrialFailure("there is no Secret " + ring + "-client-tls"));
    }

    /// For the client of a trial.
    Optional<ClientTls> tls() {
        return client().map(Client::tls);
    }

    private Client client(Secret secret) {
        String version = secret.getMetadata().getResourceVersion();
        return known.filter(k -> k.version().equals(version)).orElseGet(() -> {
            byte[] ca = entry(secret, "ca.crt");
            var credential = new Credential(entry(secret, "tls.crt"), entry(secret, "tls.key"));
            return new Client(
                    version,
                    ca,
                    credential,
                    ClientTls.of(ca, credential, ring + "." + bench.namespace() + ".svc"),
                    Caller.of(ca, Optional.of(nameless().orElse(credential))).anyName());
        });
    }

    private Optional<Credential> nameless() {
        return Optional.of(bench.options().users())
                .filter(users -> users)
                .flatMap(_ -> Optional.ofNullable(bench.kube()
                        .secrets()
                        .inNamespace(bench.namespace())
                        .withName(ring + "-ca")
                        .get()))
                .map(secret -> NamelessCertificate.of(entry(secret, "tls.crt"), entry(secret, "tls.key")));
    }

    private static byte[] entry(Secret secret, String name) {
        return Base64.getDecoder().decode(secret.getData().get(name));
    }
}
