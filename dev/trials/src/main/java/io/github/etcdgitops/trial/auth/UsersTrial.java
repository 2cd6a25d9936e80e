package io.github.etcdgitops.trial.auth;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;

/// Authentication is enabled on running rings, users and passwords are changed, by documents and by hand, the rings
/// are resized and their members restart, and authentication is disabled again. A client that is a user writes all
/// the time: with a certificate, and in a ring in plain text with a password.
public final class UsersTrial implements Trial {
    @Override
    public String name() {
        return "users";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            new SecuredRing(new RingWithUsers(bench, "users" + size), size, figures).live();
        }
        new PlainRing(new RingWithUsers(bench, "plain"), figures).live();
    }
}
