package io.github.etcdgitops.gateway.etcd;

import java.io.Serial;

/// etcd does not accept the password of `root` that we know.
final class PasswordRefused extends RootRefused {
    @Serial
    private static final long serialVersionUID = 1L;

    PasswordRefused(String why) {
        super(why, true);
    }
}
