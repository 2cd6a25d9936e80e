package io.github.etcdgitops.document.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.etcdgitops.validation.Violation;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A document that waits until the other documents of the repository are read, in an eighth of the memory of its tree.
/// Each call of `open` gives a new document that equals the packed one.
///
/// The bytes hold the tree in the order of the file: of each value its form, how many lines below the value before it,
/// its column, and its content. Numbers and lengths are written in groups of seven bits.
public final class PackedDocument {
    private enum Form {
        MAPPING('{'),
        SEQUENCE('['),
        TEXT('"'),
        WHOLE_NUMBER('0'),
        KEPT('*');

        private static final Form[] ALL = values();

        private final char mark;

        Form(char mark) {
            this.mark = mark;
        }

        static Form of(int mark) {
            for (Form form : ALL) {
                if (form.mark == mark) {
                    return form;
                }
            }
            throw new IllegalStateException("no form " + mark);
        }
    }

    private final String file;
    private final byte[] bytes;

    /// The values of other forms, in the order of the file.
    private final List<YamlNode> kept;

    private final List<Violation> violations;

    private PackedDocument(String file, byte[] bytes, List<YamlNode> kept, List<Violation> violations) {
        this.file = file;
        this.bytes = bytes;
        this.kept = List.copyOf(kept);
        this.violations = violations;
    }

    public static PackedDocument of(YamlDocument document) {
        var writer = new Writer();
        writer.node(document.root());
        return new PackedDocument(document.file(), writer.bytes.toByteArray(), writer.kept, document.violations());
    }

    public YamlDocument open() {
        return new YamlDocument(file, new Reader(bytes, kept).node(), violations);
    }

    public String file() {
        return file;
    }

    private static Form form(YamlNode node) {
        return switch (node) {
            case YamlNode.Mapping(int _, int _, var fields) when areEncodable(fields.keySet()) -> Form.MAPPING;
            case YamlNode.Sequence _ -> Form.SEQUENCE;
            case YamlNode.Scalar(int _, int _, TextNode value, String text)
            when value.textValue().equals(text) && isEncodable(text) -> Form.TEXT;
            case YamlNode.Scalar(int _, int _, IntNode value, String text)
            when value.asText().equals(text) -> Form.WHOLE_NUMBER;
            case YamlNode.Mapping _, YamlNode.Scalar _ -> Form.KEPT;
        };
    }

    private static boolean areEncodable(Iterable<String> texts) {
        for (String text : texts) {
            if (!isEncodable(text)) {
                return false;
            }
        }
        return true;
    }

    /// An escape can write half of a character, which UTF-8 cannot.
    private static boolean isEncodable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        private final List<YamlNode> kept = new ArrayList<>();
        private int line;

        void node(YamlNode node) {
            var form = form(node);
            bytes.write(form.mark);
            if (form == Form.KEPT) {
                kept.add(node);
                return;
            }
            place(node.line(), node.column());
            switch (node) {
                case YamlNode.Mapping(int _, int _, var fields) -> {
                    number(fields.size());
                    fields.forEach((key, field) -> {
                        text(key);
                        place(field.line(), field.column());
                        node(field.value());
                    });
                }
                case YamlNode.Sequence(int _, int _, var items) -> {
                    number(items.size());
                    items.forEach(this::node);
                }
                case YamlNode.Scalar scalar -> text(scalar.text());
            }
        }

        /// The sign of the difference is its last bit.
        private void place(int at, int column) {
            int below = at - line;
            number((below << 1) ^ (below >> 31));
            number(column);
            line = at;
        }

        private void text(String text) {
            byte[] encoded = text.getBytes(UTF_8);
            number(encoded.length);
            bytes.writeBytes(encoded);
        }

        private void number(int number) {
            int left = number;
            while ((left & ~0x7f) != 0) {
                bytes.write((left & 0x7f) | 0x80);
                left >>>= 7;
            }
            bytes.write(left);
        }
    }

    private static final class Reader {
        private final byte[] bytes;
        private final List<YamlNode> kept;
        private int at;
        private int taken;
        private int line;
        private int column;

        Reader(byte[] bytes, List<YamlNode> kept) {
            this.bytes = bytes;
            this.kept = kept;
        }

        YamlNode node() {
            var form = Form.of(bytes[at++]);
            if (form == Form.KEPT) {
                return kept.get(taken++);
            }
            place();
            int nodeLine = line;
            int nodeColumn = column;
            return switch (form) {
                case MAPPING -> new YamlNode.Mapping(nodeLine, nodeColumn, fields());
                case SEQUENCE -> new YamlNode.Sequence(nodeLine, nodeColumn, items());
                case TEXT -> {
                    String text = text();
                    yield new YamlNode.Scalar(nodeLine, nodeColumn, TextNode.valueOf(text), text);
                }
                case WHOLE_NUMBER -> {
                    String text = text();
                    yield new YamlNode.Scalar(nodeLine, nodeColumn, IntNode.valueOf(Integer.parseInt(text)), text);
                }
                case KEPT -> throw new IllegalStateException("handled above");
            };
        }

        private SequencedMap<String, YamlNode.Field> fields() {
            int size = number();
            var fields = LinkedHashMap.<String, YamlNode.Field>newLinkedHashMap(size);
            for (int i = 0; i < size; i++) {
                String key = YamlTree.KEYS.of(text());
                place();
                int keyLine = line;
                int keyColumn = column;
                fields.put(key, new YamlNode.Field(keyLine, keyColumn, node()));
            }
            return fields;
        }

        private List<YamlNode> items() {
            int size = number();
            var items = new ArrayList<YamlNode>(size);
            for (int i = 0; i < size; i++) {
                items.add(node());
            }
            return items;
        }

        private void place() {
            int below = number();
            line += (below >>> 1) ^ -(below & 1);
            column = number();
        }

        private String text() {
            int length = number();
            at += length;
            return new String(bytes, at - length, length, UTF_8);
        }

        private int number() {
            int number = 0;
            for (int shift = 0; ; shift += 7) {
                byte part = bytes[at++];
                number |= (part & 0x7f) << shift;
                if (part >= 0) {
                    return number;
                }
            }
        }
    }
}
