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
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One object of a list. `json` is what is kept of it, and empty where the object is larger than what is
/// read; `weight` is about how many bytes its tree would have, and `bytes` its length in the list.
@SuppressWarnings("ArrayRecordComponent") // never compared, and packed at once
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
            fields(Place.TOP, Fields.of(kind));
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

        private void fields(Place place, Fields kept) throws IOException {
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
        private void value(Place place, Fields kept) throws IOException {
            weight += NODE;
            if (out.size() > LARGEST) {
                json.writeNull();
                parser.skipChildren();
                return;
            }
            JsonToken token = parser.currentToken();
            if (token == JsonToken.START_OBJECT) {
                json.writeStartObject();
                fields(place, kept);
                json.writeEndObject();
            } else if (token == JsonToken.START_ARRAY) {
                json.writeStartArray();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    value(Place.ELSEWHERE, kept);
                }
                json.writeEndArray();
            } else if (token.isNumeric()) {
                json.writeNumber(parser.getText());
            } else {
                scalar(token);
            }
        }

        private void scalar(JsonToken token) throws IOException {
            int length = token == JsonToken.VALUE_STRING ? parser.getTextLength() : 0;
            weight += length;
            if (length > LARGEST) {
                json.writeNull();
            } else {
                json.copyCurrentEvent(parser);
            }
        }
    }

    /// The fields that are kept of a listed object: what the state of its ring is read from, and what is
    /// compared with the documents. Elements of a list are kept by the rules of the list. An object's version
    /// and kind are known without it.
    private static final class Fields {
        private static final Fields ALL = new Fields(Map.of(), Set.of(), true);
        private static final Fields METADATA = ALL.without("managedFields", "creationTimestamp");
        private static final Fields CONDITIONS = only("type", "status", "reason", "message");

        private static final Fields POD = only(Map.of(
                "metadata",
                only("name", "namespace", "uid", "labels", "deletionTimestamp"),
                "status",
                only("podIP", "phase")
                        .with("conditions", CONDITIONS)
                        .with("containerStatuses", only("restartCount", "state"))));
        private static final Fields CLAIM = only(Map.of(
                "metadata",
                only("name", "namespace", "uid", "labels", "deletionTimestamp")
                        .with("annotations", only(Labels.RELEASED_AT)),
                "spec",
                only("resources", "storageClassName"),
                "status",
                only("phase", "capacity").with("conditions", CONDITIONS)));
        private static final Fields STATEFUL_SET = only(Map.of(
                "metadata",
                METADATA,
                "spec",
                only("replicas", "updateStrategy", "volumeClaimTemplates"),
                "status",
                only("observedGeneration", "currentRevision", "updateRevision")));
        private static final Fields OTHER =
                ALL.without("apiVersion", "kind", "status").with("metadata", METADATA);
        private static final Fields BUDGET = OTHER.with("status", only("observedGeneration", "disruptionsAllowed"));

        private static final Map<ObjectKind, Fields> BY_KIND = Map.of(
                ObjectKind.POD, POD,
                ObjectKind.CLAIM, CLAIM,
                ObjectKind.STATEFUL_SET, STATEFUL_SET,
                ObjectKind.BUDGET, BUDGET);

        private final Map<String, Fields> named;
        private final Set<String> dropped;
        private final boolean others;

        private Fields(Map<String, Fields> named, Set<String> dropped, boolean others) {
            this.named = named;
            this.dropped = dropped;
            this.others = others;
        }

        static Fields of(ObjectKind kind) {
            return BY_KIND.getOrDefault(kind, OTHER);
        }

        private static Fields only(Map<String, Fields> fields) {
            return new Fields(fields, Set.of(), false);
        }

        private static Fields only(String... fields) {
            var all = new HashMap<String, Fields>();
            for (String field : fields) {
                all.put(field, ALL);
            }
            return only(Map.copyOf(all));
        }

        private Fields with(String field, Fields below) {
            var all = new HashMap<>(named);
            all.put(field, below);
            return new Fields(Map.copyOf(all), dropped, others);
        }

        private Fields without(String... fields) {
            return new Fields(named, Set.of(fields), others);
        }

        /// What is kept below a field; null where the field is not kept.
        @Nullable
        Fields below(String field) {
            var below = named.get(field);
            return below != null || !others || dropped.contains(field) ? below : ALL;
        }
    }
}
