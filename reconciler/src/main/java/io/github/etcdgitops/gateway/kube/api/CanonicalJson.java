package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.digest.Digests;
import java.util.TreeMap;

/// One text for one value: the fields of every object are sorted, so equal values have equal texts and equal
/// digests.
public final class CanonicalJson {
    public static final ObjectMapper MAPPER =
            JsonMapper.builder().nodeFactory(new SortedNodes()).build();

    private CanonicalJson() {}

    public static String digest(Object value) {
        return Digests.hex(MAPPER.valueToTree(value).toString());
    }

    private static final class SortedNodes extends JsonNodeFactory {
        @Override
        public ObjectNode objectNode() {
            return new ObjectNode(this, new TreeMap<>());
        }
    }
}
