package io.github.etcdgitops.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// A plan in one line, for the status of a commit. Only numbers: text from documents does not belong in a
/// status.
public record ReviewVerdict(Result result, String line) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public enum Result {
        GOOD,
        /// A document is invalid, or asks for something impossible.
        INVALID,
        /// A rule denies something.
        DENIED,
        /// A ring could not be read: the plan is incomplete.
        UNKNOWN
    }

    /// From a plan's JSON; empty where it is not a plan, or has another format.
    public static Optional<ReviewVerdict> ofPlan(String json) {
        try {
            var plan = JSON.readTree(json);
            boolean known = plan.path("kind").asText().equals("Plan")
                    && plan.path("formatVersion").asText().matches("1\\.[0-9]+")
                    && plan.path("clusters").isArray();
            return known ? Optional.of(of(plan)) : Optional.empty();
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }

    private static ReviewVerdict of(JsonNode plan) {
        var rings = stream(plan.path("clusters")).toList();
        int wrong = plan.path("violations").size();
        long rejected = count(rings, ring -> situation(ring, "rejected"));
        long impossible = count(rings, ring -> !situation(ring, "rejected") && impossible(ring));
        long denied = count(rings, ring -> judged(ring, "deny") || denied(ring));
        long unknown = count(rings, ring -> situation(ring, "unknown"));
        long changes = count(rings, ring -> situation(ring, "changes"));
        var parts = new ArrayList<String>();
        part(parts, wrong, "violation", "violations");
        part(parts, rejected, "ring rejected", "rings rejected");
        part(parts, impossible, "ring with an impossible change", "rings with an impossible change");
        part(parts, denied, "ring denied", "rings denied");
        part(parts, unknown, "ring could not be read", "rings could not be read");
        part(parts, changes, "ring changes", "rings change");
        part(parts, count(rings, ring -> approval(ring)), "waits for approval", "wait for approval");
        part(parts, count(rings, ring -> situation(ring, "held")), "held", "held");
        if (changes == 0) {
            parts.add("nothing changes");
        }
        return new ReviewVerdict(result(denied, wrong + rejected + impossible, unknown), String.join(", ", parts));
    }

    private static Result result(long denied, long invalid, long unknown) {
        if (denied + invalid > 0) {
            return denied > 0 ? Result.DENIED : Result.INVALID;
        }
        return unknown > 0 ? Result.UNKNOWN : Result.GOOD;
    }

    private static void part(List<String> parts, long number, String one, String many) {
        if (number > 0) {
            parts.add(number + " " + (number == 1 ? one : many));
        }
    }

    private static boolean situation(JsonNode ring, String situation) {
        return ring.path("situation").asText().equals(situation);
    }

    private static boolean judged(JsonNode ring, String result) {
        return verdicts(ring)
                .anyMatch(verdict -> verdict.path("result").asText().equals(result));
    }

    /// Whether its document is denied, with or without changes.
    private static boolean denied(JsonNode ring) {
        return stream(ring.path("findings"))
                .anyMatch(finding -> finding.path("denies").asBoolean());
    }

    private static boolean impossible(JsonNode ring) {
        return stream(ring.path("findings"))
                .anyMatch(finding -> finding.path("fault").asText().equals("document"));
    }

    private static boolean approval(JsonNode ring) {
        return verdicts(ring)
                .anyMatch(verdict -> verdict.path("result").asText().equals("hold")
                        && verdict.path("rule").asText().equals("approval"));
    }

    private static Stream<JsonNode> verdicts(JsonNode ring) {
        return stream(ring.path("operations")).map(operation -> operation.path("verdict"));
    }

    private static long count(List<JsonNode> rings, Predicate<JsonNode> which) {
        return rings.stream().filter(which).count();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
