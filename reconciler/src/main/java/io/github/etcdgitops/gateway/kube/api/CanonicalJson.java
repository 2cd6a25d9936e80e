package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.digest.Digests;
import java.util.Map;

/// One text for one value: map keys are sorted, so equal values have equal texts and equal digests.
public final class CanonicalJson {
    public static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private static final TypeReference<Map<String, Object>> TREE = new TypeReference<>() {};

    private CanonicalJson() {}

    /// A Kubernetes object as maps, lists and scalars, as it is sent to the API server.
    public static Map<String, Object> tree(Object model) {
        return MAPPER.convertValue(model, TREE);
    }

    public static String digest(Object model) {
        try {
            // Through the tree, because only map keys are sorted: a library update that reorders a model's
            // fields must not look like a changed object.
            return Digests.hex(MAPPER.writeValueAsString(tree(model)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot digest a rendered object", e);
        }
    }
}
