package io.github.etcdgitops.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.inert.Inert;
import java.util.Map;
import java.util.TreeMap;

/// One JSON object on one line, keys sorted.
public final class JsonLine {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonLine() {}

    /// A string as JSON, which is also YAML: our own reader refuses invisible characters unless they are
    /// escaped.
    public static String quoted(String text) {
        try {
            return Inert.json(MAPPER.writeValueAsString(text));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a string can always be written", e);
        }
    }

    static String of(Map<String, ?> fields) {
        try {
            return Inert.json(MAPPER.writeValueAsString(new TreeMap<>(fields)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("strings and numbers can always be written", e);
        }
    }
}
