package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import java.io.IOException;
import java.util.Optional;

/// How a request names the account that it impersonates, and what a refusal of it means.
///
/// Only the user is named. The API server adds the groups of ServiceAccounts itself; naming them would need
/// the right to impersonate groups, which is cluster-wide.
public final class Impersonation {
    public static final String USER = "Impersonate-User";

    private static final int FORBIDDEN = 403;
    private static final String RESOURCE = "serviceaccounts";

    private Impersonation() {}

    /// For a request that was refused because of the account: whether we may not impersonate it, or the
    /// account lacks the right. Empty for any other answer.
    static Optional<GatewayException> refusal(ApiCall call, ServiceAccount account, int code, byte[] body) {
        return code != FORBIDDEN
                ? Optional.empty()
                : Optional.of(call.failed(
                        Kind.UNAUTHORIZED,
                        "HTTP 403, " + (refusedToBe(account, body) ? mayNotBe(account) : mayNot(account))));
    }

    static String mayNotBe(ServiceAccount account) {
        return "this identity may not impersonate service account " + account + ". Grant it the verb impersonate on"
                + " serviceaccounts with resourceNames [" + account.name() + "] in namespace " + account.namespace()
                + ", or correct the name";
    }

    public static String mayNot(ServiceAccount account) {
        return "not allowed for service account " + account + ", or forbidden by admission";
    }

    /// Our requests read a ServiceAccount only as that account itself. So a ServiceAccount named in a
    /// refusal is the one that we may not impersonate.
    private static boolean refusedToBe(ServiceAccount account, byte[] body) {
        try {
            JsonNode details = Tree.parse(body).path("details");
            return details.path("kind").asText().equals(RESOURCE)
                    && details.path("name").asText().equals(account.name());
        } catch (IOException _) {
            return false;
        }
    }
}
