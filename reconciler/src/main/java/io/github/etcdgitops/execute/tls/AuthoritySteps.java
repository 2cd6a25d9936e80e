package io.github.etcdgitops.execute.tls;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Bundle;
import io.github.etcdgitops.certificate.CertificateCheck;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.EtcdGateway.Answer;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.RingSecrets.Content;
import io.github.etcdgitops.gateway.RingSecrets.Kind;
import io.github.etcdgitops.gateway.RingSecrets.Stored;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.value.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Moves the ring from one CA to the other. The next CA is in `NAME-ca-next` and, once it has taken over,
/// also in `NAME-ca`.
final class AuthoritySteps {
    private static final Duration TEN_YEARS = Duration.ofDays(3650);

    /// The lifetime of a certificate for one call to a member.
    private static final Duration SHORT = Duration.ofHours(1);

    private final StepContext context;

    AuthoritySteps(StepContext context) {
        this.context = context;
    }

    /// Creates the ring's first CA. CONFLICT where one exists.
    static Authority create(StepContext context, Kind kind, Optional<Stored> former) {
        var authority = Authority.create(context.ref(), context.now(), TEN_YEARS);
        var made = authority.credential();
        context.secrets()
                .write(
                        context.ref(),
                        kind,
                        new Content(made.certificatePem(), made.keyPem(), made.certificatePem()),
                        former.map(Stored::resourceVersion),
                        context.epoch());
        return authority;
    }

    StepResult prepare() {
        var current = read(Kind.CA);
        if (current.isEmpty()) {
            return gone(Kind.CA);
        }
        var next = read(Kind.NEXT_CA);
        if (next.filter(n -> !n.ours()).isPresent()) {
            return foreign(context, Kind.NEXT_CA);
        }
        // A CA that an earlier run created is not used again: no member was started with it yet, and its
        // start date shows how long clients have had it.
        var made = create(context, Kind.NEXT_CA, next);
        return new StepResult.Done("created; it expires " + made.notAfter());
    }

    /// Held unless every running member was started with it: the journal has the CAs that were in the
    /// Secrets at that time.
    StepResult replace() {
        var current = read(Kind.CA);
        var next = read(Kind.NEXT_CA);
        if (current.isEmpty() || next.isEmpty()) {
            return gone(current.isEmpty() ? Kind.CA : Kind.NEXT_CA);
        }
        if (same(next.get(), current.get())) {
            return new StepResult.Done("already done");
        }
        byte[] known = context.journal().authority().orElse("").getBytes(StandardCharsets.US_ASCII);
        if (!Bundle.contains(known, next.get().content().certificate())) {
            return new StepResult.Held("the CA in the Secret " + Kind.NEXT_CA.secretName(context.ref())
                    + " is not the one in the journal, which the members use. They would refuse each other. Restore"
                    + " the former Secret");
        }
        context.secrets()
                .write(
                        context.ref(),
                        Kind.CA,
                        next.get().content(),
                        current.map(Stored::resourceVersion),
                        context.epoch());
        return new StepResult.Done("written");
    }

    /// Calls with a certificate of the CA that is to take over.
    StepResult trusts(int ordinal, Transport transport, Duration deadline) {
        return called(ordinal, transport, deadline, Kind.NEXT_CA, "it accepts them");
    }

    /// Calls with a certificate of the ring's CA, and trusts only that CA.
    StepResult shows(int ordinal, Transport transport, Duration deadline) {
        var signer = read(Kind.CA)
                .flatMap(ca -> CertificateCheck.validity(ca.content().certificate()));
        signer.ifPresent(ca -> new Mounts(context).renew(ordinal, "certificates of the CA of " + ca.begin()));
        return called(ordinal, transport, deadline, Kind.CA, "it presents them");
    }

    private StepResult called(int ordinal, Transport transport, Duration deadline, Kind kind, String done) {
        var signer = read(kind);
        if (signer.isEmpty()) {
            return gone(kind);
        }
        Content caller;
        try {
            caller = caller(signer.get(), kind);
        } catch (IllegalArgumentException e) {
            return new StepResult.Held("the Secret " + kind.secretName(context.ref()) + ": " + e.getMessage());
        }
        return context.until(
                deadline,
                () -> doors(transport).stream()
                        .flatMap(door -> refused(ordinal, door, caller).stream())
                        .findFirst(),
                () -> done);
    }

    /// The next CA is presented to members that still have certificates of the current one.
    private Content caller(Stored signer, Kind kind) {
        var authority = authority(signer);
        var shown = authority.issue(Leaf.CLIENT, context.ref(), context.now(), SHORT);
        var trusted = new ArrayList<>(List.of(authority.certificatePem()));
        if (kind == Kind.NEXT_CA) {
            read(Kind.CA).ifPresent(current -> trusted.add(current.content().certificate()));
            trusted.add(context.journal().authority().orElse("").getBytes(StandardCharsets.US_ASCII));
        }
        return new Content(shown.certificatePem(), shown.keyPem(), Bundle.of(trusted));
    }

    private Optional<String> refused(int ordinal, Door door, Content caller) {
        String title = "port " + door.port() + " of " + context.ref().podName(ordinal);
        try {
            return switch (context.calls()
                    .at(ordinal, door, (etcd, route) -> etcd.knock(route, caller, StepContext.CALL))) {
                case Answer.Served _ -> Optional.empty();
                case Answer.Refused(String why) -> Optional.of(title + " refuses a certificate of the new CA: " + why);
            };
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static List<Door> doors(Transport transport) {
        var doors = new ArrayList<Door>();
        if (transport.client().secured()) {
            doors.add(Door.CLIENT_TLS);
        }
        if (transport.peer().secured()) {
            doors.add(Door.PEER_TLS);
        }
        return doors;
    }

    private static boolean same(Stored one, Stored other) {
        return Bundle.same(one.content().certificate(), other.content().certificate());
    }

    static Authority authority(Stored stored) {
        return Authority.of(
                new Credential(stored.content().certificate(), stored.content().key()));
    }

    static StepResult foreign(StepContext context, Kind kind) {
        return new StepResult.Held("the Secret " + kind.secretName(context.ref())
                + " exists and is not managed by etcd-gitops. It is not overwritten");
    }

    private StepResult gone(Kind kind) {
        return new StepResult.Held("the Secret " + kind.secretName(context.ref()) + " is gone");
    }

    private Optional<Stored> read(Kind kind) {
        return context.secrets().read(context.ref(), kind);
    }
}
