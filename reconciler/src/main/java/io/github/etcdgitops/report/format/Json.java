package io.github.etcdgitops.report.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.inert.Inert;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The single form of JSON output: sorted keys, two spaces, LF, a final newline. So equal values are equal
/// bytes. Control characters are escaped: printing the file is safe, and parsing it gives the same strings.
public final class Json {
    private static final ObjectWriter WRITER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build()
            .writer(printer());

    /// Before an element of a list in the document itself.
    private static final String ELEMENT = "\n    ";

    private Json() {}

    private static DefaultPrettyPrinter printer() {
        var indenter = new DefaultIndenter("  ", "\n");
        return new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
    }

    /// The same piece by piece, with a list of objects under `name` that are made one after the other: a document with
    /// a part for each of thousands of rings is large. No other field of the document has that name and is an empty
    /// list.
    public static void write(
            Map<String, Object> document, String name, Stream<Map<String, Object>> objects, Consumer<String> to) {
        var all = new TreeMap<>(document);
        all.put(name, List.of());
        String whole = write(all);
        String start = "\"" + name + "\" : [";
        int cut = whole.indexOf(start + " ]") + start.length();
        to.accept(whole.substring(0, cut));
        boolean any = false;
        for (var each = objects.iterator(); each.hasNext(); any = true) {
            String one = write(each.next()).stripTrailing();
            to.accept((any ? "," : "") + ELEMENT + one.replace("\n", ELEMENT));
        }
        to.accept((any ? "\n " : "") + whole.substring(cut));
    }

    public static String write(Map<String, Object> document) {
        try {
            return Inert.json(WRITER.writeValueAsString(document)) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of strings, numbers and lists can always be written", e);
        }
    }
}
