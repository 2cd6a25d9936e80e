package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.access.ClusterProbe;
import io.github.etcdgitops.gateway.access.Permission;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// [ClusterProbe] on a real API server.
public final class ServerProbe implements ClusterProbe {
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private final KubeApi api;
    private final String address;

    public ServerProbe(KubeConnection connection) {
        this.api = connection.own();
        this.address = connection.address();
    }

    @Override
    public Server server() {
        var answer = api.dated("/version").orElseThrow(() -> nothing("/version"));
        return new Server(address, answer.document().path("gitVersion").asText(), answer.date());
    }

    @Override
    public SortedSet<String> apis() {
        var found = new TreeSet<String>();
        for (JsonNode group : document("/apis").path("groups")) {
            group.path("versions").forEach(v -> found.add(v.path("groupVersion").asText()));
        }
        return found;
    }

    @Override
    public boolean allows(AccessQuestion question) {
        return allows(api, question);
    }

    @Override
    public boolean allows(AccessQuestion question, ServiceAccount as) {
        return allows(api.as(as), question);
    }

    @Override
    public boolean mayImpersonate(ServiceAccount account) {
        var permission = new Permission(
                Permission.Role.EXECUTOR, "", "serviceaccounts", "", "impersonate", Permission.Need.ALWAYS);
        return allows(new AccessQuestion(permission, account.namespace(), account.name()));
    }

    @Override
    public boolean exists(ServiceAccount account) {
        return api.get(ObjectKind.SERVICE_ACCOUNT, account.namespace(), account.name())
                .isPresent();
    }

    private static boolean allows(KubeApi api, AccessQuestion question) {
        Permission permission = question.permission();
        ObjectNode review = Tree.object();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
        review.putObject("spec")
                .putObject("resourceAttributes")
                .put("group", permission.apiGroup())
                .put("resource", permission.resource())
                .put("subresource", permission.subresource())
                .put("verb", permission.verb())
                .put("namespace", question.namespace())
                .put("name", question.name());
        JsonNode allowed = api.ask(REVIEWS, "SelfSubjectAccessReview", review)
                .path("status")
                .path("allowed");
        if (!allowed.isBoolean()) {
            throw new GatewayException(Kind.REJECTED, false, "the answer to an access review is neither yes nor no");
        }
        return allowed.asBoolean();
    }

    @Override
    public List<String> defaultStorageClasses() {
        var names = new ArrayList<String>();
        for (JsonNode item :
                document("/apis/storage.k8s.io/v1/storageclasses?limit=500").path("items")) {
            if (Tree.annotation(item, DEFAULT_CLASS).filter("true"::equals).isPresent()) {
                names.add(Tree.name(item));
            }
        }
        return List.copyOf(names);
    }

    private ObjectNode document(String path) {
        return api.document(path).orElseThrow(() -> nothing(path));
    }

    private static GatewayException nothing(String path) {
        return new GatewayException(
                Kind.REJECTED,
                false,
                "HTTP 404 for " + path + ": this is not a Kubernetes API server, or not the right one");
    }
}
