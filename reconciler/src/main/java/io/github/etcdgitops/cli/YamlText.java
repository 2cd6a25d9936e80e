package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.JsonLine;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;

/// Writes maps, lists and scalars as readable YAML. Texts are quoted unless their meaning is unambiguous.
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9./_-]{0,200}");
    private static final Pattern WORD = Pattern.compile("(?i)true|false|yes|no|on|off|null|y|n");

    private final StringBuilder out = new StringBuilder();

    private YamlText() {}

    static String of(Map<String, ?> document) {
        var text = new YamlText();
        text.map(document, "");
        return text.out.toString();
    }

    private void map(Map<?, ?> map, String indent) {
        map.forEach((key, value) -> {
            out.append(indent).append(scalar(String.valueOf(key))).append(':');
            value(value, indent);
        });
    }

    private void value(Object value, String indent) {
        switch (value) {
            case Map<?, ?> map when map.isEmpty() -> out.append(" {}\n");
            case Map<?, ?> map -> {
                out.append('\n');
                map(map, indent + "  ");
            }
            case Collection<?> list when list.isEmpty() -> out.append(" []\n");
            case Collection<?> list -> {
                out.append('\n');
                list.forEach(item -> item(item, indent + "  "));
            }
            default -> out.append(' ').append(scalar(value)).append('\n');
        }
    }

    private void item(Object item, String indent) {
        if (item instanceof Map<?, ?> map && !map.isEmpty()) {
            var fields = new YamlText();
            fields.map(map, indent + "  ");
            out.append(indent).append("- ").append(fields.out.substring(indent.length() + 2));
        } else {
            out.append(indent).append('-');
            value(item, indent);
        }
    }

    private static String scalar(Object value) {
        return value instanceof String text
                        && !(PLAIN.matcher(text).matches()
                                && !WORD.matcher(text).matches())
                ? JsonLine.quoted(text)
                : String.valueOf(value);
    }
}
