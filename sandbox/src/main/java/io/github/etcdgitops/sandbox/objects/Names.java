package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.regex.Pattern;

/// How objects, labels and keys may be named.
final class Names {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final Pattern NAMESPACE = Pattern.compile(LABEL);
    private static final Pattern SERVICE = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern OBJECT = Pattern.compile(SUBDOMAIN);
    private static final Pattern QUALIFIED =
            Pattern.compile("(" + SUBDOMAIN + "/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");
    private static final int LONGEST = 253;
    private static final int LONGEST_LABEL = 63;

    private Names() {}

    static void check(Resource resource, JsonNode object, Problems problems) {
        String name = Meta.name(object);
        switch (resource) {
            case NAMESPACE -> name(name, NAMESPACE, LONGEST_LABEL, "a lowercase RFC 1123 label", problems);
            case SERVICE -> name(name, SERVICE, LONGEST_LABEL, "a DNS-1035 label", problems);
            default -> name(name, OBJECT, LONGEST, "a lowercase RFC 1123 subdomain", problems);
        }
        labels("metadata.labels", Meta.labels(object), problems);
        for (var annotation : Meta.entries(object.path("metadata").path("annotations"))) {
            key("metadata.annotations", annotation.getKey(), problems);
        }
    }

    private static void name(String name, Pattern shape, int longest, String kind, Problems problems) {
        if (name.isEmpty()) {
            problems.required("metadata.name", false);
        } else if (name.length() > longest) {
            problems.invalid(
                    "metadata.name", TextNode.valueOf(name), "must be no more than " + longest + " characters");
        } else if (!shape.matcher(name).matches()) {
            problems.invalid(
                    "metadata.name",
                    TextNode.valueOf(name),
                    kind + " must consist of lower case alphanumeric characters (regex used for validation is '"
                            + shape.pattern() + "')");
        }
    }

    static void labels(String field, JsonNode labels, Problems problems) {
        for (var label : Meta.entries(labels)) {
            key(field, label.getKey(), problems);
            if (!VALUE.matcher(label.getValue().asText()).matches()) {
                problems.invalid(
                        field,
                        label.getValue(),
                        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',"
                                + " and be no longer than 63");
            }
        }
    }

    private static void key(String field, String key, Problems problems) {
        if (!QUALIFIED.matcher(key).matches()) {
            problems.invalid(field, TextNode.valueOf(key), "name part must consist of alphanumeric characters");
        }
    }

    static void dataKeys(JsonNode object, Problems problems) {
        for (var entry : Meta.entries(object.path("data"))) {
            if (!KEY.matcher(entry.getKey()).matches()) {
                problems.invalid(
                        "data[" + entry.getKey() + "]",
                        TextNode.valueOf(entry.getKey()),
                        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
            }
        }
    }
}
