package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Which labels are meant: all requirements hold.
public record LabelSelector(List<Requirement> requirements) {
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private static final String KEY = "\\s*([A-Za-z0-9._/-]+)\\s*";
    private static final Pattern SET_BASED = Pattern.compile(KEY + "\\s(in|notin)\\s*\\(([^)]*)\\)\\s*");
    private static final Pattern EQUALITY = Pattern.compile(KEY + "(==|=|!=)\\s*([A-Za-z0-9._-]*)\\s*");
    private static final Pattern EXISTS = Pattern.compile("\\s*(!?)" + KEY);

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST
    }

    record Requirement(String key, Operator operator, Set<String> values) {
        boolean holds(JsonNode labels) {
            boolean has = labels.has(key);
            boolean among = has && values.contains(labels.path(key).asText());
            return switch (operator) {
                case IN -> among;
                case NOT_IN -> !among;
                case EXISTS -> has;
                case DOES_NOT_EXIST -> !has;
            };
        }
    }

    public boolean matches(JsonNode object) {
        JsonNode labels = Meta.labels(object);
        return requirements.stream().allMatch(requirement -> requirement.holds(labels));
    }

    /// `spec.selector` of a StatefulSet or a budget: matchLabels and matchExpressions.
    public static LabelSelector of(JsonNode selector) {
        var requirements = new ArrayList<Requirement>();
        selector.path("matchLabels")
                .properties()
                .forEach(label -> requirements.add(new Requirement(
                        label.getKey(), Operator.IN, Set.of(label.getValue().asText()))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            var values = new TreeSet<String>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            Operator operator = switch (expression.path("operator").asText()) {
                case "In" -> Operator.IN;
                case "NotIn" -> Operator.NOT_IN;
                case "Exists" -> Operator.EXISTS;
                case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
                case String other -> throw unreadable(other);
            };
            requirements.add(new Requirement(expression.path("key").asText(), operator, values));
        }
        return new LabelSelector(requirements);
    }

    /// As in the query of a list: `a=b,c!=d,e in (f,g),h,!i`.
    public static LabelSelector parse(String text) {
        var requirements = new ArrayList<Requirement>();
        for (String part : text.split(",(?![^(]*\\))", -1)) {
            if (!part.isBlank()) {
                requirements.add(requirement(part));
            }
        }
        return new LabelSelector(requirements);
    }

    private static Requirement requirement(String part) {
        Matcher set = SET_BASED.matcher(part);
        if (set.matches()) {
            var values = new TreeSet<String>();
            for (String value : set.group(3).split(",", -1)) {
                values.add(value.strip());
            }
            return new Requirement(set.group(1), set.group(2).equals("in") ? Operator.IN : Operator.NOT_IN, values);
        }
        Matcher equality = EQUALITY.matcher(part);
        if (equality.matches()) {
            return new Requirement(
                    equality.group(1),
                    equality.group(2).equals("!=") ? Operator.NOT_IN : Operator.IN,
                    Set.of(equality.group(3)));
        }
        Matcher exists = EXISTS.matcher(part);
        if (exists.matches()) {
            return new Requirement(
                    exists.group(2), exists.group(1).isEmpty() ? Operator.EXISTS : Operator.DOES_NOT_EXIST, Set.of());
        }
        throw unreadable(part);
    }

    private static Refusal unreadable(String part) {
        return new Refusal(400, "BadRequest", "unable to parse requirement: " + part);
    }
}
