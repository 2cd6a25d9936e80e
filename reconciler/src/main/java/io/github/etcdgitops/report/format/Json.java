package io.github.etcdgitops.report.format;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.inert.InertWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;

/// The single form of JSON output: sorted keys, two spaces, LF, a final newline. So equal values are equal
/// bytes. Control characters are escaped: printing the file is safe, and parsing it gives the same strings.
public final class Json {
    private static final ObjectWriter WRITER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build()
            .writer(printer());
    private static final ObjectWriter STREAM = WRITER.without(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private Json() {}

    private static DefaultPrettyPrinter printer() {
        var indenter = new DefaultIndenter("  ", "\n");
        return new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
    }

    /// The same as a stream, for a document with a part for each ring.
    public static void write(Map<String, Object> document, Writer to) {
        try {
            var inert = InertWriter.json(to);
            STREAM.writeValue(inert, document);
            inert.write('\n');
            inert.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String write(Map<String, Object> document) {
        try {
            return Inert.json(WRITER.writeValueAsString(document)) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of strings, numbers and lists can always be written", e);
        }
    }
}
