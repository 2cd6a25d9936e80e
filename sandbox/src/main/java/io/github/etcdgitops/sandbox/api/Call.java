package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Refusal;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// One request.
public record Call(
        String method, Target target, Map<String, String> query, String contentType, String accept, String content) {
    static final ObjectMapper JSON = new ObjectMapper();

    String parameter(String name) {
        return query.getOrDefault(name, "");
    }

    boolean flag(String name) {
        return parameter(name).equals("true") || parameter(name).equals("1");
    }

    Optional<Long> number(String name) {
        String text = parameter(name);
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Long.valueOf(text));
        } catch (NumberFormatException e) {
            throw Refusal.badRequest("invalid value for " + name + ": " + text);
        }
    }

    boolean watches() {
        return method.equals("GET") && target.collection() && flag("watch");
    }

    boolean dryRun() {
        return parameter("dryRun").equals("All");
    }

    /// Words as RBAC has them, with the part of the object: `update statefulsets/status`.
    String verb() {
        String verb = switch (method) {
            case "GET" -> watches() ? "watch" : target.collection() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "DELETE" -> target.collection() ? "deletecollection" : "delete";
            default -> method.toLowerCase(Locale.ROOT);
        };
        String part = target.part().isEmpty() ? "" : "/" + target.part();
        return verb + " " + target.resource().plural() + part;
    }

    JsonNode body() {
        try {
            return content.isEmpty() ? JSON.createObjectNode() : JSON.readTree(content);
        } catch (IOException e) {
            throw Refusal.badRequest("the body is no JSON");
        }
    }

    /// The body as an object of the kind and version that the path names.
    ObjectNode object() {
        if (!contentType.isEmpty() && !contentType.startsWith("application/json")) {
            throw new Refusal(415, "UnsupportedMediaType", "the body of the request was in an unknown format");
        }
        if (!(body() instanceof ObjectNode object)) {
            throw Refusal.badRequest("the body is no object");
        }
        String kind = object.path("kind").asText(target.resource().kind());
        String version = object.path("apiVersion").asText(target.apiVersion());
        if (!kind.equals(target.resource().kind())) {
            throw Refusal.badRequest(kind + " in version \"" + version + "\" cannot be handled as a "
                    + target.resource().kind() + ": converting (v1." + kind + ") to ("
                    + target.resource().kind() + "): unknown conversion");
        }
        if (!version.equals(target.apiVersion())) {
            throw Refusal.badRequest("the API version in the data (" + version
                    + ") does not match the expected API version (" + target.apiVersion() + ")");
        }
        return object;
    }

    Call withContent(ObjectNode object) {
        return new Call(method, target, query, contentType, accept, object.toString());
    }
}
