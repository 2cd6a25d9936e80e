package io.github.etcdgitops.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.github.etcdgitops.document.yaml.Repeated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The JSON Schemas that ship with this program. They load only from the class path: a `$ref` to the
/// network or to a file is refused without reading it.
public final class Schemas {
    public static final String BASE = "https://etcdgitops.dev/schemas/v1alpha1/";

    /// RE2, as validators written in Go use: a pattern that other tools cannot compile fails here first,
    /// and the time of a match grows only with the length of the untrusted text.
    private static final SchemaRegistryConfig REGULAR_EXPRESSIONS = SchemaRegistryConfig.builder()
            .regularExpressionFactory(pattern -> {
                var compiled = Pattern.compile(pattern);
                return new Repeated<>(value -> compiled.matcher(value).find())::of;
            })
            .build();

    private Schemas() {}

    /// Read on first use; a command that reads no document does not need it.
    private static final class Compiled {
        private static final SchemaRegistry REGISTRY = registry(sources());
        private static final Map<DocumentKind, Schema> SCHEMAS = new ConcurrentHashMap<>();

        private static Map<String, String> sources() {
            var sources = new HashMap<String, String>();
            for (var kind : DocumentKind.values()) {
                text(kind.title()).ifPresent(text -> sources.put(id(kind), text));
            }
            return sources;
        }

        /// Compiled when the first document of the kind is read.
        static Schema of(DocumentKind kind) {
            return SCHEMAS.computeIfAbsent(kind, _ -> compile(REGISTRY, id(kind)));
        }
    }

    /// The schema's JSON, for people and editors; empty for a kind without one.
    public static Optional<String> text(String kind) {
        String name = "/schemas/" + kind.toLowerCase(Locale.ROOT) + ".schema.json";
        try (var stream = Schemas.class.getResourceAsStream(name)) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name + " from the class path", e);
        }
    }

    public static Schema of(DocumentKind kind) {
        return Compiled.of(kind);
    }

    /// Whether a value meets one rule of a schema that refers to no other.
    public static boolean accepts(JsonNode rule, JsonNode value) {
        return registry(Map.of()).getSchema(rule).validate(value).isEmpty();
    }

    /// `sources` is everything that can be loaded, by `$id`.
    public static SchemaRegistry registry(Map<String, String> sources) {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                registry -> registry.schemaLoader(loader -> loader.fetchRemoteResources(false)
                                .allow(iri -> sources.containsKey(iri.toString()))
                                .resourceLoaders(loaders -> loaders.resources(sources)))
                        .schemaRegistryConfig(REGULAR_EXPRESSIONS));
    }

    public static Schema compile(SchemaRegistry registry, String id) {
        var schema = registry.getSchema(SchemaLocation.of(id));
        schema.initializeValidators();
        return schema;
    }

    private static String id(DocumentKind kind) {
        return BASE + kind.title().toLowerCase(Locale.ROOT) + ".schema.json";
    }
}
