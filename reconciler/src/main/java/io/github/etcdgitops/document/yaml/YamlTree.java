package io.github.etcdgitops.document.yaml;

import com.fasterxml.jackson.databind.node.TextNode;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/// Builds the tree of one document from the parser's events and records what is refused.
///
/// It uses events and not the parser's own tree: there an alias is already resolved and its location is
/// lost. Every value is added as soon as it starts, so that after a syntax error the part before it can
/// still be read.
final class YamlTree {
    static final int DEEPEST = 50;

    /// How many fields an object usually has at most.
    private static final int USUAL = 6;

    /// Keys of documents are few and the same in thousands of documents: each is kept once.
    static final Repeated<String> KEYS = new Repeated<>(Function.identity());

    private final String file;
    private final List<Violation> violations = new ArrayList<>();
    private final Deque<Frame> open = new ArrayDeque<>();
    private @Nullable YamlNode root;

    YamlTree(String file) {
        this.file = file;
    }

    /// A collection that is still open.
    private static final class Frame {
        final YamlNode node;

        @Nullable
        Key key;

        /// The key of the value that is being read, after `key` has been used up.
        String inside = "";

        Frame(YamlNode node) {
            this.node = node;
        }
    }

    /// `kept` is false when the following value belongs to a refused key.
    private record Key(String name, int line, int column, boolean kept) {}

    /// Refused text is not repeated: an unquoted password that starts with `*`, `&` or `!` is an alias, an
    /// anchor or a tag. Returns false when reading on is useless.
    boolean accept(Event event) {
        switch (event) {
            case AliasEvent alias -> {
                refuse(
                        "alias",
                        alias.getStartMark(),
                        "An alias repeats a value from elsewhere in the file.",
                        "Write the value out: a reviewer should see on each line what it says.");
                add(YamlNode.empty(line(alias), column(alias)), "");
            }
            case ScalarEvent scalar -> scalar(scalar);
            case MappingStartEvent mapping -> {
                noteAnchorAndTag(mapping, mapping.getTag());
                return begin(
                        new YamlNode.Mapping(line(mapping), column(mapping), LinkedHashMap.newLinkedHashMap(USUAL)));
            }
            case SequenceStartEvent sequence -> {
                noteAnchorAndTag(sequence, sequence.getTag());
                return begin(new YamlNode.Sequence(line(sequence), column(sequence), new ArrayList<>()));
            }
            default -> {
                if (event.is(Event.ID.MappingEnd) || event.is(Event.ID.SequenceEnd)) {
                    open.pop();
                }
            }
        }
        return true;
    }

    void refuse(String code, @Nullable Mark mark, String message, String hint) {
        var place = mark == null
                ? Location.ofFile(file)
                : new Location(file, mark.getLine() + 1, mark.getColumn() + 1, Shown.pointer(path()));
        violations.add(Violation.of(code, place, message, hint));
    }

    /// Empty for a document without content.
    Optional<YamlDocument> document() {
        boolean nothing = root == null
                || (violations.isEmpty()
                        && root instanceof YamlNode.Scalar scalar
                        && scalar.text().isEmpty());
        if (nothing && violations.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new YamlDocument(file, root == null ? YamlNode.empty(1, 1) : root, violations));
    }

    private void scalar(ScalarEvent event) {
        noteAnchorAndTag(event, event.getTag());
        String text = event.getValue();
        if (event.getScalarStyle() != ScalarStyle.PLAIN) {
            add(new YamlNode.Scalar(line(event), column(event), TextNode.valueOf(text), text), text);
            return;
        }
        if (text.equals("<<") && awaitsKey()) {
            refuse(
                    "merge-key",
                    event.getStartMark(),
                    "`<<` merges another object into this one.",
                    "Write the fields out: a reviewer should see on each line what it says.");
            setKey(new Key(text, line(event), column(event), false));
            return;
        }
        switch (PlainScalar.of(text)) {
            case PlainScalar.Value(var json) -> add(new YamlNode.Scalar(line(event), column(event), json, text), text);
            case PlainScalar.Refused(String code, String why, String otherwise) -> {
                boolean shown = Shown.mayShow(path());
                String found = shown ? "`" + Shown.plain(text) + "`" : "This value";
                refuse(
                        code,
                        event.getStartMark(),
                        found + " without quotes means different things to different tools: " + why + ".",
                        hint(text, shown, otherwise));
                add(new YamlNode.Scalar(line(event), column(event), TextNode.valueOf(text), text), text);
            }
        }
    }

    private static String hint(String text, boolean shown, String otherwise) {
        String quote = PlainScalar.QUOTE + (shown ? ": \"" + Shown.plain(text) + "\"." : ".");
        return otherwise.isEmpty() ? quote : quote + " " + otherwise;
    }

    private void noteAnchorAndTag(NodeEvent event, @Nullable String tag) {
        if (event.getAnchor() != null) {
            refuse(
                    "anchor",
                    event.getStartMark(),
                    "An anchor names a value so that it can be repeated elsewhere.",
                    "Remove the anchor and write the value out wherever it is needed.");
        }
        if (tag != null) {
            refuse(
                    "tag",
                    event.getStartMark(),
                    "A tag sets a custom type.",
                    "Remove the tag; to make a value a text, put it in quotes.");
        }
    }

    private boolean begin(YamlNode node) {
        if (open.size() >= DEEPEST) {
            violations.add(Violation.of(
                    "nesting-too-deep",
                    new Location(file, node.line(), node.column(), ""),
                    "Here the document is nested more than " + DEEPEST + " levels deep.",
                    "No valid document is nested this deep; look for brackets that are not closed."));
            return false;
        }
        boolean asKey = awaitsKey();
        if (asKey) {
            refuseKey(node, node.describe());
            setKey(new Key("", node.line(), node.column(), false));
        } else {
            add(node, "");
        }
        open.push(new Frame(node));
        return true;
    }

    /// Adds a value to its parent, or uses it as the key of the next value.
    private void add(YamlNode node, String text) {
        var frame = open.peek();
        if (frame == null) {
            root = node;
        } else if (frame.node instanceof YamlNode.Sequence(int _, int _, var items)) {
            if (node.isNothing() && violations.isEmpty()) {
                refuse(node);
            }
            items.add(node);
        } else if (frame.node instanceof YamlNode.Mapping mapping) {
            var key = frame.key;
            if (key == null) {
                setKey(key(mapping, node, text));
                return;
            }
            if (key.kept()) {
                mapping.fields().put(key.name(), new YamlNode.Field(key.line(), key.column(), node));
            }
            frame.inside = key.name();
            frame.key = null;
        }
    }

    private void refuse(YamlNode nothing) {
        violations.add(Violation.of(
                "empty-item",
                new Location(file, nothing.line(), nothing.column(), Shown.pointer(path())),
                "This item of a list is empty.",
                "Write the item after its dash, or remove the dash."));
    }

    private Key key(YamlNode.Mapping mapping, YamlNode node, String text) {
        boolean isText =
                node instanceof YamlNode.Scalar scalar && scalar.value().isTextual();
        if (!isText) {
            refuseKey(node, node.describe());
            return new Key(text, node.line(), node.column(), false);
        }
        var earlier = mapping.fields().get(text);
        if (earlier != null) {
            violations.add(Violation.of(
                    "duplicate-key",
                    new Location(
                            file, node.line(), node.column(), Shown.pointer(path()) + Shown.pointer(List.of(text))),
                    "The key " + Shown.quoted(text) + " was already given in line " + earlier.line() + ".",
                    "Keep one of the two; which one applies depends on the tool."));
            return new Key(text, node.line(), node.column(), false);
        }
        return new Key(KEYS.of(text), node.line(), node.column(), true);
    }

    private void refuseKey(YamlNode node, String found) {
        violations.add(Violation.of(
                "non-string-key",
                new Location(file, node.line(), node.column(), Shown.pointer(path())),
                "A key must be a text; this one is " + found + ".",
                "Quote the key, or look for a stray `?`, `{` or `[`."));
    }

    private boolean awaitsKey() {
        var frame = open.peek();
        return frame != null && frame.node instanceof YamlNode.Mapping && frame.key == null;
    }

    private void setKey(Key key) {
        var frame = open.peek();
        if (frame != null) {
            frame.key = key;
        }
    }

    /// The path of the value being read, from the outside in.
    private List<String> path() {
        var path = new ArrayList<String>();
        for (var frames = open.descendingIterator(); frames.hasNext(); ) {
            var frame = frames.next();
            boolean innermost = !frames.hasNext();
            if (frame.node instanceof YamlNode.Sequence(int _, int _, var items)) {
                path.add(Integer.toString(innermost ? items.size() : items.size() - 1));
            } else if (frame.key != null) {
                path.add(frame.key.name());
            } else if (!innermost) {
                path.add(frame.inside);
            }
        }
        return path;
    }

    private static int line(Event event) {
        return event.getStartMark().getLine() + 1;
    }

    private static int column(Event event) {
        return event.getStartMark().getColumn() + 1;
    }
}
