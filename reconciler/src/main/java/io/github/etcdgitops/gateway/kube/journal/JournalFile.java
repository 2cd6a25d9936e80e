package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.state.journal.Journal;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// The journal as text: JSON with sorted keys, so that equal journals have equal bytes.
///
/// Reading is strict. The next write would lose an unknown field, and a half-understood journal could let a
/// member create a second ring.
public final class JournalFile {
    public static final String KEY = "journal.json";

    private static final int MAX_DEPTH = 100;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .withConfigOverride(
                    Optional.class,
                    override -> override.setInclude(
                            JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS)))
            .addModule(new JournalModule())
            .build();

    private static final ObjectReader TREE = MAPPER.readerFor(ObjectNode.class);

    private JournalFile() {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Format(long formatVersion) {}

    public static String write(Journal journal) {
        JsonNode tree = MAPPER.valueToTree(journal);
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write the journal", e);
        }
    }

    /// Throws IllegalArgumentException on anything that [#write] of this version could not have written.
    public static Journal read(String json) {
        JsonNode tree;
        try {
            tree = TREE.readValue(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the journal is not JSON" + place(e), e);
        }
        if (tree == null) {
            throw new IllegalArgumentException("the journal is empty");
        }
        try {
            requireFormat(MAPPER.treeToValue(tree, Format.class).formatVersion());
            requireNoNull("", tree);
            return MAPPER.treeToValue(tree, Journal.class);
        } catch (JsonMappingException e) {
            throw wrong(e, tree);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the journal cannot be read", e);
        }
    }

    private static void requireFormat(long format) {
        if (format != JournalWire.FORMAT) {
            throw new IllegalArgumentException("the journal has format " + format + ", this version knows "
                    + JournalWire.FORMAT + ": it was written by another version of etcd-gitops");
        }
    }

    /// An optional field with null would be read as absent.
    private static void requireNoNull(String path, JsonNode node) {
        if (node.isNull()) {
            throw wrong(path, "is null");
        }
        node.properties().forEach(field -> requireNoNull(join(path, field.getKey()), field.getValue()));
        if (node.isArray()) {
            node.forEach(item -> requireNoNull(path, item));
        }
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /// In our words: Jackson's messages quote the text.
    private static IllegalArgumentException wrong(JsonMappingException e, JsonNode tree) {
        if (e.getCause() instanceof IllegalArgumentException cause) {
            return cause;
        }
        JsonNode found = tree;
        for (var step : e.getPath()) {
            found = step.getFieldName() == null ? found.path(step.getIndex()) : found.path(step.getFieldName());
        }
        String path = e.getPath().stream()
                .map(Reference::getFieldName)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("."));
        return wrong(path, what(e, found.isMissingNode()));
    }

    private static String what(JsonMappingException e, boolean missing) {
        return switch (e) {
            case UnrecognizedPropertyException _ -> JournalFields.UNKNOWN;
            case MismatchedInputException _ when missing -> "is missing";
            case MismatchedInputException m
            when Collection.class.isAssignableFrom(m.getTargetType()) -> "is not a list";
            case MismatchedInputException _ -> "is not an object";
            default -> e.getOriginalMessage();
        };
    }

    private static IllegalArgumentException wrong(String path, String what) {
        return new IllegalArgumentException("the journal's field " + path + " " + what);
    }

    /// Only the position: the parser's own message quotes the text.
    private static String place(JsonProcessingException e) {
        return e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
    }
}
