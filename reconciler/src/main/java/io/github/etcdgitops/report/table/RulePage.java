package io.github.etcdgitops.report.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.spec.ring.RuleKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The reference of built-in rules: the catalogue, or the page of one. The `schema` of a Policy defines the
/// parameters.
public record RulePage(List<RuleKind> rules, String schema) implements Rendering {
    private static final String PROPERTIES = "/properties/spec/properties/rules/properties/";

    public RulePage {
        rules = List.copyOf(rules);
    }

    @Override
    public Lines human(Style style) {
        return rules.size() == 1 ? page(style, rules.getFirst()) : catalogue(style);
    }

    private Lines catalogue(Style style) {
        var rows = rules.stream()
                .map(kind -> List.of(
                        kind.toString(), kind.phase().toString(), kind.effect().toString(), kind.about()))
                .toList();
        return new TextTable(List.of("RULE", "LOOKS AT", "DEFAULT", "ABOUT"), rows).text(style);
    }

    private Lines page(Style style, RuleKind kind) {
        var rule = rule(kind);
        var rows = new ArrayList<List<String>>();
        parameters(rule)
                .forEach(p -> rows.add(List.of(
                        p.getKey(),
                        p.getValue().path("default").asText(required(rule, p.getKey()) ? "required" : ""),
                        (p.getValue().path("title").asText() + ". "
                                        + p.getValue().path("description").asText(""))
                                .strip())));
        var out = Lines.of(
                style.strong().apply(kind.toString()) + ": " + kind.about() + ". Looks at " + kind.phase() + ".");
        if (rule.has("description")) {
            out.append(rule.path("description").asText()).end();
        }
        return out.end().append(new TextTable(List.of("PARAMETER", "DEFAULT", "WHAT"), rows).text(style));
    }

    private static Stream<Map.Entry<String, JsonNode>> parameters(JsonNode rule) {
        return rule.path("properties").properties().stream();
    }

    private static boolean required(JsonNode rule, String name) {
        for (var field : rule.path("required")) {
            if (field.asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private JsonNode rule(RuleKind kind) {
        try {
            return new ObjectMapper().readTree(schema).at(PROPERTIES + kind);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the schema that ships is JSON", e);
        }
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Rules");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put(
                "rules",
                rules.stream()
                        .map(kind -> new TreeMap<>(Map.of(
                                "rule", kind.toString(),
                                "about", kind.about(),
                                "looksAt", kind.phase().toString(),
                                "effect", kind.effect().toString(),
                                "schema", rule(kind))))
                        .toList());
        return Json.write(document);
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }
}
