package io.github.etcdgitops.sandbox.etcd;

import java.io.Serial;

/// No place that was looked at has the version. The message names them all and says what to do.
public final class EtcdUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    EtcdUnavailable(String message) {
        super(message);
    }
}
