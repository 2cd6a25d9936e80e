package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.ShardBoard;
import java.util.Optional;

/// [ShardBoard] in ConfigMaps `etcd-gitops-shard-ENVIRONMENT-INDEX` of the reconciler's own namespace.
public final class ShardConfigMaps implements ShardBoard {
    private static final String RUN = "run";
    private static final String TEXT = "text";

    private final KubeApi api;
    private final String namespace;

    public ShardConfigMaps(KubeConnection connection, String namespace) {
        this.api = connection.api();
        this.namespace = namespace;
    }

    @Override
    public void post(String environment, int index, Post post) {
        String name = name(environment, index);
        Optional<ObjectNode> known = api.get(ObjectKind.CONFIG_MAP, namespace, name);
        ObjectNode object = known.orElseGet(() -> fresh(name));
        object.putObject("data").put(RUN, post.run()).put(TEXT, post.text());
        if (known.isPresent()) {
            api.update(ObjectKind.CONFIG_MAP, namespace, object);
        } else {
            api.create(ObjectKind.CONFIG_MAP, namespace, object);
        }
    }

    @Override
    public Optional<Post> read(String environment, int index) {
        return api.get(ObjectKind.CONFIG_MAP, namespace, name(environment, index))
                .map(object -> object.path("data"))
                .map(data -> new Post(data.path(RUN).asText(), data.path(TEXT).asText()));
    }

    private static String name(String environment, int index) {
        return "etcd-gitops-shard-" + environment + "-" + index;
    }

    private ObjectNode fresh(String name) {
        ObjectNode object = Tree.object();
        Tree.metadata(object)
                .put("namespace", namespace)
                .put("name", name)
                .withObjectProperty("labels")
                .put(Labels.NAME, Labels.MANAGER);
        return object;
    }
}
