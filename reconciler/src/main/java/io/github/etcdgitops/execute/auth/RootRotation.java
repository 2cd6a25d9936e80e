package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingPasswords.Stored;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.state.auth.AuthChange;
import java.util.Optional;

/// Gives `root` another password. A run that is killed at any point leaves a Secret with which `root` can sign
/// in: as long as it is open whether the ring has the next password, the Secret has both.
record RootRotation(StepContext context) {
    StepResult change(LeaderUsers calls) {
        if (!calls.enabled()) {
            return new StepResult.Held("authentication is not enabled, so no sign-in can prove another password");
        }
        var next = stores().root(context.ref()).map(this::writtenDown).orElseGet(() -> first(calls));
        calls.make(new AuthChange.ChangePassword(User.ROOT), Optional.of(next));
        if (!calls.signsIn(User.ROOT, next)) {
            return new StepResult.Failed(
                    "the ring refuses the new password of root; the Secret " + secret() + " has both");
        }
        forgetFormer(next);
        return new StepResult.Done("root signs in with it, and the former one is forgotten");
    }

    /// The one that a killed run has written down is as good: nobody else has had it.
    private Password writtenDown(Stored stored) {
        return stored.next().orElseGet(() -> {
            var generated = Password.generate(context::random);
            write(stored.password(), Optional.of(generated), Optional.of(stored));
            return generated;
        });
    }

    /// For a Secret that is lost. Only `root` is answered, here by its certificate: without it, the ring would never
    /// get this password, and the Secret would look like the right one.
    private Password first(LeaderUsers calls) {
        var _ = calls.read();
        var generated = Password.generate(context::random);
        write(generated, Optional.empty(), Optional.empty());
        return generated;
    }

    private void forgetFormer(Password next) {
        write(next, Optional.empty(), stores().root(context.ref()));
    }

    private void write(Password password, Optional<Password> next, Optional<Stored> replaced) {
        stores().writeRoot(context.ref(), password, next, replaced.map(Stored::resourceVersion), context.epoch());
    }

    private String secret() {
        return RingPasswords.rootSecret(context.ref());
    }

    private RingPasswords stores() {
        return context.secrets().passwords();
    }
}
