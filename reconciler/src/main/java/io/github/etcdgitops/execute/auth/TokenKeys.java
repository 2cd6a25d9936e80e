package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.certificate.SigningKey;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Optional;

/// Checks the key of a ring's tokens before a member needs it: etcd does not start without it.
public record TokenKeys(StepContext context) {
    /// Why the members of a new ring would not start.
    public Optional<StepResult> ofNew(EtcdVersion version) {
        return held(MemberSettings.founding(context.spec().server(), version));
    }

    /// Why members that run with `former` would not start with `target`.
    public Optional<StepResult> ofNext(MemberSettings former, MemberSettings target) {
        return former.tokenKey().equals(target.tokenKey()) ? Optional.empty() : held(target);
    }

    private Optional<StepResult> held(MemberSettings target) {
        return target.tokenKey().flatMap(this::missing).map(StepResult.Held::new);
    }

    private Optional<String> missing(TokenKey key) {
        String name = "the Secret " + key.secret().name() + " of spec.auth.token";
        Optional<byte[]> pem;
        try {
            pem = context.secrets()
                    .passwords()
                    .entry(context.ref(), key.secret().name(), key.secret().key());
        } catch (GatewayException e) {
            return Optional.of(name + " could not be checked: " + e.getMessage());
        }
        if (pem.isEmpty()) {
            return Optional.of(name + " has no entry " + key.secret().key() + ", or does not exist in the namespace "
                    + context.ref().namespace());
        }
        boolean fits = SigningKey.of(pem.get())
                .filter(found -> fits(found, key.method()))
                .isPresent();
        return fits
                ? Optional.empty()
                : Optional.of(name + " has no " + key.method().key() + " in PEM in its entry "
                        + key.secret().key() + ", which " + key.method().wire() + " needs");
    }

    private static boolean fits(SigningKey found, TokenKey.Method method) {
        var curve = method.curve();
        return curve.isEmpty()
                ? found.algorithm().equals("RSA")
                : found.algorithm().equals("EC") && found.curve() == curve.getAsInt();
    }
}
