package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BiConsumer;

/// One page of a list, read object by object: the receiver of an object decides what to keep of it, and no
/// other one is held at that time. `token` leads to the next page; `bytes` is the length of the page.
public record ListPage(String token, long bytes) {
    /// Reads one object.
    public interface Items {
        /// `parser` is at the object's first token, and must be at its last one afterwards.
        void read(JsonParser parser) throws IOException;
    }

    /// Calls `each` with every object as a tree, and its length in bytes.
    static Items trees(BiConsumer<ObjectNode, Long> each) {
        return parser -> {
            long start = parser.currentLocation().getByteOffset();
            JsonNode item = parser.readValueAsTree();
            if (item instanceof ObjectNode object) {
                each.accept(object, parser.currentLocation().getByteOffset() - start);
            }
        };
    }

    static ListPage read(InputStream body, Items items) throws IOException {
        try (JsonParser parser = Tree.parser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            String token = "";
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("items") && value == JsonToken.START_ARRAY) {
                    items(parser, items);
                } else if (field.equals("metadata")) {
                    JsonNode metadata = parser.readValueAsTree();
                    token = metadata.path("continue").asText();
                } else {
                    parser.skipChildren();
                }
            }
            return new ListPage(token, parser.currentLocation().getByteOffset());
        }
    }

    private static void items(JsonParser parser, Items items) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == null) {
                throw new IOException("the list does not end");
            }
            items.read(parser);
        }
    }
}
