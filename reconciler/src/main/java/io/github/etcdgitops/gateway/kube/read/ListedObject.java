package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// One object of a list. `json` is what is kept of it, and empty where the object is larger than what is
/// read; `weight` is about how many bytes its tree would have, and `bytes` its length in the list.
record ListedObject(ClusterRef ring, String name, byte[] json, int weight, long bytes) {
    /// In bytes. The largest objects of a ring have some ten thousand.
    static final int LARGEST = 512 << 10;

    /// Copies the object at which `parser` is, token by token: no tree is built.
    static ListedObject read(JsonParser parser, ObjectKind kind, String apiVersion) throws IOException {
        return new Copy(parser).of(kind, apiVersion);
    }

    boolean tooLarge() {
        return bytes > LARGEST;
    }

    /// Where a field is, as far as it tells whose the object is.
    private enum Place {
        TOP,
        METADATA,
        LABELS,
        ELSEWHERE;

        Place below(String field) {
            return switch (this) {
                case TOP -> field.equals("metadata") ? METADATA : ELSEWHERE;
                case METADATA -> field.equals("labels") ? LABELS : ELSEWHERE;
                case LABELS, ELSEWHERE -> ELSEWHERE;
            };
        }
    }

    private static final class Copy {
        private static final JsonFactory JSON = new JsonFactory();
        private static final int USUAL = 2 << 10;
        private static final int NODE = 48;

        private final JsonParser parser;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL);
        private final JsonGenerator json;
        private long weight;
        private String namespace = "";
        private String name = "";
        private String ring = "";

        Copy(JsonParser parser) throws IOException {
            this.parser = parser;
            this.json = JSON.createGenerator(out);
        }

        /// Items of a list do not contain their kind.
        ListedObject of(ObjectKind kind, String apiVersion) throws IOException {
            long start = parser.currentLocation().getByteOffset();
            json.writeStartObject();
            json.writeStringField("apiVersion", apiVersion);
            json.writeStringField("kind", kind.kind());
            fields(Place.TOP, ListedFields.of(kind));
            json.writeEndObject();
            json.close();
            long bytes = parser.currentLocation().getByteOffset() - start;
            return new ListedObject(
                    new ClusterRef(namespace, ring),
                    name,
                    bytes > LARGEST ? new byte[0] : out.toByteArray(),
                    (int) Math.min(weight, LARGEST * NODE),
                    bytes);
        }

        private void fields(Place place, ListedFields kept) throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken token = parser.nextToken();
                if (token.isScalarValue()) {
                    note(place, field);
                }
                var below = kept.below(field);
                if (below == null) {
                    parser.skipChildren();
                } else {
                    weight += NODE + field.length();
                    json.writeFieldName(field);
                    value(place.below(field), below);
                }
            }
        }

        private void note(Place place, String field) throws IOException {
            if (place == Place.METADATA && field.equals("namespace")) {
                namespace = parser.getText();
            } else if (place == Place.METADATA && field.equals("name")) {
                name = parser.getText();
            } else if (place == Place.LABELS && field.equals(Labels.CLUSTER)) {
                ring = parser.getText();
            }
        }

        /// The rest of an object that is too large is only counted.
        private void value(Place place, ListedFields kept) throws IOException {
            weight += NODE;
            if (out.size() > LARGEST) {
                json.writeNull();
                parser.skipChildren();
                return;
            }
            switch (parser.currentToken()) {
                case START_OBJECT -> {
                    json.writeStartObject();
                    fields(place, kept);
                    json.writeEndObject();
                }
                case START_ARRAY -> {
                    json.writeStartArray();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        value(Place.ELSEWHERE, kept);
                    }
                    json.writeEndArray();
                }
                case VALUE_STRING -> {
                    int length = parser.getTextLength();
                    weight += length;
                    if (length > LARGEST) {
                        json.writeNull();
                    } else {
                        json.copyCurrentEvent(parser);
                    }
                }
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.writeNumber(parser.getText());
                default -> json.copyCurrentEvent(parser);
            }
        }
    }
}
