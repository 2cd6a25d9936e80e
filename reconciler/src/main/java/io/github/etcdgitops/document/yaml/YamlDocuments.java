package io.github.etcdgitops.document.yaml;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Validated;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/// Reads a YAML file like JSON: no anchors, aliases, tags, merge keys or duplicate keys, and nothing that
/// two YAML readers interpret differently. Never throws because of a file's content.
public final class YamlDocuments {
    private YamlDocuments() {}

    /// `violations` are those without a document: the file as a whole could not be read.
    /// `legible` is false where its bytes are no text: then its content is unknown, not just empty.
    public record YamlFile(List<YamlDocument> documents, List<Violation> violations, boolean legible) {
        public YamlFile {
            documents = List.copyOf(documents);
            violations = List.copyOf(violations);
        }

        /// Only blank lines or comments.
        public boolean empty() {
            return legible && documents.isEmpty();
        }
    }

    public static YamlFile read(String file, byte[] bytes) {
        return switch (YamlBytes.text(file, bytes)) {
            case Validated.Valid<String>(String text) -> parse(file, text);
            case Validated.Invalid<String>(var violations) -> new YamlFile(List.of(), violations, false);
        };
    }

    private static YamlFile parse(String file, String text) {
        var documents = documents(file, text);
        return documents.isEmpty()
                ? new YamlFile(
                        documents,
                        List.of(Violation.of(
                                "empty-file",
                                Location.ofFile(file),
                                "The file has no document, only blank lines or comments.",
                                "Write a document into it, or delete the file.")),
                        true)
                : new YamlFile(documents, List.of(), true);
    }

    private static List<YamlDocument> documents(String file, String text) {
        var options = new LoaderOptions();
        options.setCodePointLimit(2 * YamlBytes.LIMIT);
        var documents = new ArrayList<YamlDocument>();
        var tree = new YamlTree(file);
        try {
            var events = new ParserImpl(new StreamReader(text), options);
            boolean reading = true;
            while (reading && events.peekEvent() != null) {
                var event = events.getEvent();
                switch (event.getEventId()) {
                    case DocumentStart -> {
                        tree = new YamlTree(file);
                        refuseDirectives(tree, (DocumentStartEvent) event);
                    }
                    case DocumentEnd -> {
                        tree.document().ifPresent(documents::add);
                        tree = new YamlTree(file);
                    }
                    case StreamStart, StreamEnd, Comment -> {}
                    case Alias, MappingEnd, MappingStart, Scalar, SequenceEnd, SequenceStart ->
                        reading = tree.accept(event);
                }
            }
            if (!reading) {
                tree.document().ifPresent(documents::add);
            }
        } catch (YAMLException e) {
            SyntaxTrouble.note(tree, e, text);
            tree.document().ifPresent(documents::add);
        }
        return documents;
    }

    private static void refuseDirectives(YamlTree tree, DocumentStartEvent start) {
        Optional<String> directive = start.getVersion() != null
                ? Optional.of("%YAML")
                : Optional.ofNullable(start.getTags())
                        .filter(tags -> !tags.isEmpty())
                        .map(_ -> "%TAG");
        directive.ifPresent(name -> tree.refuse(
                "directive",
                start.getStartMark(),
                "The directive `" + name + "` changes how the rest of the file is read.",
                "Remove it; files must mean the same in YAML 1.1 and 1.2."));
    }
}
