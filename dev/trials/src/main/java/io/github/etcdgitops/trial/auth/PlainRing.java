package io.github.etcdgitops.trial.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.change.TlsTrial;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// In plain text every user has a password, and root too. So whoever changes that of root locks us out.
record PlainRing(RingWithUsers ring, Figures figures) {
    void live() throws Exception {
        ring.commit("founded", 3, "");
        ring.atRest();
        var nobody = UserClient.withoutUser(ring.bench(), ring.name());
        nobody.demandWrites("load/x");
        commit("gets users", 3, 1, "");
        nobody.demandNoRead("load/x");
        demandAccess();
        var load = ring.bench().load(ring.name());
        try {
            commit("grows, and root gets another password", 5, 2, "");
            demandAccess();
            figures.put(ring.name() + ".size", 5);
            lockedOut();
            TlsTrial.more(load);
        } finally {
            Bench.demand(load.stop(), figures, ring.name() + ".");
        }
        signed();
        commit("shrinks, without a key", 3, 3, "");
        demandAccess();
        ring.erase();
    }

    /// Clients go on meanwhile. Who has the password puts it into the Secret.
    private void lockedOut() throws Exception {
        String taken = HandChanges.takeRoot(ring);
        ring.found("root-locked-out", "ring-unknown");
        ring.bench().tool().start("reconcile").exit();
        ring.root().demandNoSignIn();
        demandAccess();
        ring.bench()
                .kube()
                .secrets()
                .inNamespace(ring.bench().namespace())
                .withName(ring.name() + "-root-auth")
                .edit(secret -> {
                    secret.setData(Map.of("password", Base64.getEncoder().encodeToString(taken.getBytes(UTF_8))));
                    return secret;
                });
        ring.atRest();
        commit("gives root a password that nobody has", 5, 3, "");
        UserClient.withPassword(ring.bench(), ring.name(), "root", taken).demandNoSignIn();
        ring.root().demandSignsIn();
    }

    /// Members sign tokens with a key, and then with another one of another kind. In plain text we have a token too.
    private void signed() throws Exception {
        for (var key : List.of(new TokenSecret("RSA", 2048, "RS256"), new TokenSecret("EC", 256, "ES256"))) {
            key.make(ring.bench(), ring.name());
            commit("signs tokens by " + key.method(), 5, 3, key.field(ring.name()));
            demandAccess();
        }
    }

    private void demandAccess() {
        var client = ring.user(ring.client());
        client.demandWrites("load/x");
        client.demandReads("load/x");
        client.demandNoRead("other/x");
        client.demandNoWrite("other/x");
    }

    /// `number` is that of root's password.
    private void commit(String why, int size, int number, String more) throws Exception {
        ring.commit(why, size, """
            auth:
              root: {password: {number: %d}}
              roles:
                - name: writer
                  grants: [{prefix: load/, access: readwrite}]
              users:
                - {name: %s, roles: [writer], password: {generate: true}}
            """.formatted(number, ring.client()) + more);
        ring.atRest();
    }
}
