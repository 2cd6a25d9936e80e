package io.github.etcdgitops.gateway.kube.api;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What an API server refuses on its own account. It says so with the same code as for a right that is
/// missing, so that only its words tell; they are recognized and never passed on.
final class Admission {
    private static final int FORBIDDEN = 403;

    private Admission() {}

    /// Why a claim may not become larger, if that is what the answer says.
    static Optional<String> refusal(ObjectKind kind, KubeHttp.Answer answer) {
        if (kind != ObjectKind.CLAIM || answer.code() != FORBIDDEN) {
            return Optional.empty();
        }
        String said = new String(answer.body(), StandardCharsets.UTF_8);
        if (said.contains("must support resize")) {
            return Optional.of("its storage class does not allow it to grow");
        }
        return said.contains("exceeded quota")
                ? Optional.of("a ResourceQuota of the namespace does not allow it")
                : Optional.empty();
    }
}
