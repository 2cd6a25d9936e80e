package io.github.etcdgitops.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// One JSON object on one line, keys sorted.
final class JsonLine {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonLine() {}

    /// Line separators and marks that nobody sees: our own reader refuses them unless they are escaped.
    private static final Pattern UNSEEN = Pattern.compile("[\\u0085\\u2028\\u2029\\p{Cf}&&[\\u0000-\\uFFFF]]");

    /// A string as JSON, which is YAML too.
    static String quoted(String text) {
        try {
            return UNSEEN.matcher(MAPPER.writeValueAsString(text))
                    .replaceAll(m -> String.format(
                            Locale.ROOT, "\\\\u%04x", (int) m.group().charAt(0)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a string can always be written", e);
        }
    }

    static String of(Map<String, ?> fields) {
        try {
            return MAPPER.writeValueAsString(new TreeMap<>(fields));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("strings and numbers can always be written", e);
        }
    }
}
