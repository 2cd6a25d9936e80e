package io.github.etcdgitops.execute.tls;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Bundle;
import io.github.etcdgitops.certificate.CertificateCheck;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingSecrets.Content;
import io.github.etcdgitops.gateway.RingSecrets.Kind;
import io.github.etcdgitops.gateway.RingSecrets.Stored;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.journal.Journal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Ensures that the ring's Secrets hold certificates that its members can start with.
///
/// A valid certificate is not replaced: it stays until a third of its lifetime is left. The CA is created
/// once. Where it is gone while its certificates are in use, it is unknown who trusts it, and no other CA
/// is created in its place.
final class Issuance {
    /// How long to wait for cert-manager: an issuer may depend on another service.
    private static final Duration DELIVERY = Duration.ofMinutes(4);

    private final StepContext context;
    private final List<String> issued = new ArrayList<>();
    private boolean users;

    Issuance(StepContext context) {
        this.context = context;
    }

    /// With `root`, also the certificate of etcd's user `root`. A ring with users always has it, and so has one
    /// whose document asks for users: the data that it is restored from may have them.
    StepResult issue(Tls tls, Authorities trusted, boolean root) {
        issued.clear();
        users = tls.transport().client().secured()
                && (root
                        || context.spec().auth().isPresent()
                        || context.journal().past().auth().isPresent());
        return switch (tls.issuer()) {
            case BUILT_IN -> {
                try {
                    yield builtIn(tls, trusted);
                } catch (IllegalArgumentException e) {
                    yield new StepResult.Held(
                            "the Secret " + Kind.CA.secretName(context.ref()) + ": " + e.getMessage());
                }
            }
            case SECRET -> keptByOthers(tls);
            case CERT_MANAGER -> ordered(tls).orElseGet(() -> keptByOthers(tls));
        };
    }

    private StepResult builtIn(Tls tls, Authorities trusted) {
        var found = secrets().read(context.ref(), Kind.CA);
        if (found.isEmpty()) {
            var orphans = leaves().stream()
                    .filter(leaf -> secrets().read(context.ref(), kind(leaf)).isPresent())
                    .map(leaf -> kind(leaf).secretName(context.ref()))
                    .toList();
            if (!orphans.isEmpty() || inUse()) {
                return new StepResult.Held(
                        "the Secret " + Kind.CA.secretName(context.ref()) + " with the ring's CA is gone, and its"
                                + " certificates are in use"
                                + (orphans.isEmpty() ? "" : " (" + String.join(", ", orphans) + ")")
                                + ". Restore it from a backup of this namespace");
            }
        }
        var authority = found.map(AuthoritySteps::authority).orElseGet(this::create);
        if (found.filter(s -> !s.ours()).isPresent()) {
            return foreign(Kind.CA);
        }
        if (!trusted(authority)) {
            return new StepResult.Held("the CA in the Secret " + Kind.CA.secretName(context.ref())
                    + " is not the one in the journal, which"
                    + " the running members trust. With certificates of another CA they would refuse each other."
                    + " Restore the former Secret");
        }
        byte[] bundle = trusted.settled() ? authority.certificatePem() : both(authority);
        for (var leaf : leaves()) {
            var stored = secrets().read(context.ref(), kind(leaf));
            if (stored.filter(s -> !s.ours()).isPresent()) {
                return foreign(kind(leaf));
            }
            write(leaf, stored, authority, tls.duration(), bundle);
        }
        return journalled(leaves(), tls);
    }

    /// Members read certificates at each new connection, and the CA only at their start.
    private boolean trusted(Authority authority) {
        return !inUse()
                || context.journal()
                        .authority()
                        .filter(known -> !Bundle.contains(bytes(known), authority.certificatePem()))
                        .isEmpty();
    }

    /// Whether a member may run with certificates.
    private boolean inUse() {
        var journal = context.journal();
        return journal.founded()
                && (journal.applied().transport().secured()
                        || journal.roll()
                                .filter(r -> r.target().transport().secured())
                                .isPresent());
    }

    private static String text(byte[] pem) {
        return new String(pem, StandardCharsets.US_ASCII);
    }

    private Authority create() {
        issued.add("CA");
        return AuthoritySteps.create(context, Kind.CA, Optional.empty());
    }

    /// The CA that signs, the one that is to take over, and the one before it.
    private byte[] both(Authority authority) {
        var texts = new ArrayList<byte[]>();
        context.journal().authority().map(Issuance::bytes).ifPresent(texts::add);
        texts.add(authority.certificatePem());
        secrets()
                .read(context.ref(), Kind.NEXT_CA)
                .ifPresent(next -> texts.add(next.content().certificate()));
        return Bundle.of(texts);
    }

    private static byte[] bytes(String pem) {
        return pem.getBytes(StandardCharsets.US_ASCII);
    }

    private boolean wornOut(Leaf leaf, Stored stored, Authority authority) {
        var content = stored.content();
        return !problems(leaf, content, authority.certificatePem()).isEmpty()
                || CertificateCheck.validity(content.certificate())
                        .filter(v -> context.now().isBefore(v.renewal()))
                        .isEmpty();
    }

    /// Valid parts of it stay, byte for byte.
    private void write(Leaf leaf, Optional<Stored> stored, Authority authority, Duration duration, byte[] bundle) {
        var kept = stored.filter(s -> !wornOut(leaf, s, authority)).map(Stored::content);
        if (kept.filter(c -> Bundle.same(c.ca(), bundle)).isPresent()) {
            return;
        }
        var content = kept.map(c -> new Content(c.certificate(), c.key(), bundle))
                .orElseGet(() -> {
                    var made = authority.issue(leaf, context.ref(), context.now(), duration);
                    return new Content(made.certificatePem(), made.keyPem(), bundle);
                });
        secrets().write(context.ref(), kind(leaf), content, stored.map(Stored::resourceVersion), context.epoch());
        String name = leaf.wire();
        issued.add(kept.isPresent() ? "the CAs beside " + name : name);
    }

    /// Requests all of them, and then waits for them together; returns why that fails, if it does.
    private Optional<StepResult> ordered(Tls tls) {
        if (tls.reference().isEmpty()) {
            return Optional.of(new StepResult.Held("spec.tls.issuer names no issuer of cert-manager"));
        }
        var needed = leaves().stream().filter(leaf -> needed(leaf, tls)).toList();
        return context.await(
                        DELIVERY,
                        () -> needed.stream()
                                .flatMap(leaf ->
                                        secrets()
                                                .order(context.ref(), kind(leaf), order(leaf, tls), context.epoch())
                                                .stream())
                                .findFirst())
                .map(StepResult.Held::new);
    }

    private RingSecrets.Order order(Leaf leaf, Tls tls) {
        return new RingSecrets.Order(
                tls.reference().orElseThrow(),
                tls.duration(),
                leaf.commonName(context.ref()),
                leaf.dnsNames(context.ref()),
                leaf.addresses(),
                leaf.purposes());
    }

    private StepResult keptByOthers(Tls tls) {
        var needed = leaves().stream().filter(leaf -> needed(leaf, tls)).toList();
        var client = secrets().read(context.ref(), Kind.CLIENT);
        for (var leaf : needed) {
            var stored = secrets().read(context.ref(), kind(leaf));
            if (stored.isEmpty() || client.isEmpty()) {
                var missing = stored.isEmpty() ? kind(leaf) : Kind.CLIENT;
                return new StepResult.Held("the Secret " + missing.secretName(context.ref())
                        + " does not exist. etcd-gitops does not create it (spec.tls.issuer)");
            }
            var problems = problems(leaf, stored.get().content(), client.get().content());
            if (!problems.isEmpty()) {
                return new StepResult.Held(
                        "the Secret " + kind(leaf).secretName(context.ref()) + ": " + String.join("; ", problems));
            }
        }
        return journalled(needed, tls);
    }

    /// Peers must also accept the reconciler's own certificate: it is used to check what they refuse.
    private List<String> problems(Leaf leaf, Content content, Content client) {
        var problems = new ArrayList<>(problems(leaf, content, content.ca()));
        problems(leaf, content, client.ca()).forEach(p -> problems.add("under the client's CA: " + p));
        problems(Leaf.CLIENT, client, content.ca()).forEach(p -> problems.add("the client's under this CA: " + p));
        return problems;
    }

    private boolean needed(Leaf leaf, Tls tls) {
        return switch (leaf) {
            case PEER -> tls.transport().peer().secured();
            case SERVER -> tls.transport().client().secured();
            case CLIENT -> true;
            // Others need not make one: root can also sign in with its password.
            case ROOT ->
                tls.issuer() != Tls.Issuer.SECRET
                        || secrets().read(context.ref(), Kind.ROOT).isPresent();
        };
    }

    private List<String> problems(Leaf leaf, Content content, byte[] authority) {
        return CertificateCheck.problems(
                leaf, context.ref(), new Credential(content.certificate(), content.key()), authority, context.now());
    }

    /// A plan must know which certificate expires first.
    private StepResult journalled(List<Leaf> leaves, Tls tls) {
        String authority = "";
        var first = new Validity(Instant.MIN, Instant.MAX);
        for (var leaf : leaves) {
            var content = secrets()
                    .read(context.ref(), kind(leaf))
                    .map(Stored::content)
                    .orElseThrow(() -> new Fenced("the Secret " + kind(leaf).secretName(context.ref()) + " is gone"));
            var validity = CertificateCheck.validity(content.certificate()).orElseThrow();
            authority = text(content.ca());
            first = validity.end().isBefore(first.end()) ? validity : first;
        }
        var certificates = new Journal.Certificates(
                authority, first, CertificateCheck.newest(bytes(authority)), Optional.of(tls.issuer()));
        if (!context.journal().past().certificates().equals(Optional.of(certificates))) {
            context.journal(journal -> journal.withCertificates(certificates));
        }
        String what = issued.isEmpty() ? "nothing was missing" : "issued: " + String.join(", ", issued);
        return new StepResult.Done(what + "; the first one expires " + first.end());
    }

    private StepResult foreign(Kind kind) {
        return AuthoritySteps.foreign(context, kind);
    }

    private RingSecrets secrets() {
        return context.secrets();
    }

    private List<Leaf> leaves() {
        return Stream.of(Leaf.values())
                .filter(leaf -> users || leaf != Leaf.ROOT)
                .toList();
    }

    private static Kind kind(Leaf leaf) {
        return switch (leaf) {
            case PEER -> Kind.PEER;
            case SERVER -> Kind.SERVER;
            case CLIENT -> Kind.CLIENT;
            case ROOT -> Kind.ROOT;
        };
    }
}
