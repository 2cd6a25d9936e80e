package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/// What was rendered, read with the library's types, which know the fields of Kubernetes.
final class Rendered {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Rendered() {}

    static <T extends HasMetadata> T as(Class<T> type, ObjectNode tree) {
        return SERIALIZATION.unmarshal(tree.toString(), type);
    }

    static String yaml(ObjectNode tree) {
        return SERIALIZATION.asYaml(tree);
    }

    static ObjectNode tree(HasMetadata object) {
        return SERIALIZATION.convertValue(object, ObjectNode.class);
    }
}
