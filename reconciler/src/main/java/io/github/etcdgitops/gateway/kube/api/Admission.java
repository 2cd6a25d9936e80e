package io.github.etcdgitops.gateway.kube.api;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Refusals by an API server's admission. They have the same code as a missing right, so only their text
/// distinguishes them; it is recognized and never passed on.
final class Admission {
    private static final int FORBIDDEN = 403;

    private Admission() {}

    /// Why a claim may not grow, if the answer says so.
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
