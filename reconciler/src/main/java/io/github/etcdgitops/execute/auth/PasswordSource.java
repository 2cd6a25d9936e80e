package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingPasswords.Stored;
import io.github.etcdgitops.gateway.RingPasswords.Touched;
import io.github.etcdgitops.spec.auth.User.SecretRef;
import io.github.etcdgitops.spec.auth.User.SignIn;
import java.util.Optional;

/// Where the passwords of a ring's users are: in Secrets that we make, or in Secrets of others.
record PasswordSource(StepContext context) {
    String rootSecret() {
        return RingPasswords.rootSecret(context.ref());
    }

    /// Empty where there is none yet, or none any more.
    Optional<Password> storedRoot() {
        return stores().root(context.ref()).map(Stored::password);
    }

    /// Generated where there is none yet: it is stored before the ring gets it.
    Password ofRoot() {
        return storedRoot().orElseGet(() -> {
            var generated = Password.generate(context::random);
            stores().writeRoot(context.ref(), generated, Optional.empty(), Optional.empty(), context.epoch());
            return generated;
        });
    }

    Optional<Password> stored(String user, SignIn.Password wanted) {
        return wanted.secret()
                .map(secret -> stores().read(context.ref(), secret.name(), secret.key()))
                .orElseGet(() -> own(user))
                .map(Stored::password);
    }

    /// Empty where others have not made the Secret; ours is generated likewise. One that an earlier run has
    /// left may say something outdated about how to connect.
    Optional<Password> of(String user, SignIn.Password wanted) {
        var stored = stored(user, wanted);
        if (wanted.secret().isPresent()) {
            return stored;
        }
        if (stored.isPresent()) {
            connect(user);
            return stored;
        }
        return Optional.of(generated(user, Optional.empty()));
    }

    /// Another password: a generated one is stored before the ring gets it.
    Optional<Password> next(String user, SignIn.Password wanted) {
        return wanted.secret().isPresent()
                ? stored(user, wanted)
                : Optional.of(generated(user, own(user).map(Stored::resourceVersion)));
    }

    Touched connect(String user) {
        return stores().connectUser(context.objectsAtRest(), user);
    }

    Touched remove(String user) {
        return stores().removeUser(context.ref(), user, context.epoch());
    }

    private Password generated(String user, Optional<String> replaced) {
        var generated = Password.generate(context::random);
        stores().writeUser(context.objectsAtRest(), user, generated, replaced);
        return generated;
    }

    private Optional<Stored> own(String user) {
        return stores().read(context.ref(), RingPasswords.userSecret(context.ref(), user), RingPasswords.KEY);
    }

    /// The name of the Secret.
    String secret(String user, SignIn.Password wanted) {
        return wanted.secret().map(SecretRef::name).orElseGet(() -> RingPasswords.userSecret(context.ref(), user));
    }

    String missing(String user, SignIn.Password wanted) {
        return missing(user, secret(user, wanted));
    }

    String missing(String user, String secret) {
        return "the Secret " + secret + " with the password of the user " + user + " does not exist in the namespace "
                + context.ref().namespace();
    }

    private RingPasswords stores() {
        return context.secrets().passwords();
    }
}
