package io.github.etcdgitops.sandbox.objects;

import static io.github.etcdgitops.sandbox.objects.Meta.putDefault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// What an API server makes of a Job: above all a selector that nobody else's pods match.
final class Jobs {
    private static final String UID = "controller-uid";
    private static final String NAME = "job-name";
    private static final int BACKOFF = 6;

    private Jobs() {}

    static void fill(ObjectNode spec) {
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1);
        }
        putDefault(spec, "parallelism", 1);
        putDefault(spec, "backoffLimit", BACKOFF);
        // Not known before Kubernetes 1.25 and 1.28, and dropped by older servers.
        spec.remove(List.of("podFailurePolicy", "podReplacementPolicy"));
        PodDefaults.template(spec.withObjectProperty("template").withObjectProperty("spec"));
    }

    /// Of a new Job. One that says `manualSelector` is taken at its word.
    static void select(ObjectNode job) {
        ObjectNode spec = job.withObjectProperty("spec");
        if (spec.path("manualSelector").asBoolean()) {
            return;
        }
        ObjectNode labels = Meta.of(spec.withObjectProperty("template")).withObjectProperty("labels");
        putDefault(labels, UID, Meta.uid(job));
        putDefault(labels, NAME, Meta.name(job));
        putDefault(spec.withObjectProperty("selector").withObjectProperty("matchLabels"), UID, Meta.uid(job));
    }

    static void check(ObjectNode job, Problems problems) {
        JsonNode spec = job.path("spec");
        for (String count : List.of("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit")) {
            problems.negative("spec." + count, spec.path(count));
        }
        JsonNode template = spec.path("template");
        problems.unsupported(
                "spec.template.spec.restartPolicy",
                template.path("spec").path("restartPolicy"),
                List.of("OnFailure", "Never"));
        Names.labels("spec.template.metadata.labels", Meta.labels(template), problems);
        JsonNode selector = spec.path("selector");
        if (selector.isEmpty()) {
            problems.required("spec.selector", false);
        } else if (!LabelSelector.of(selector).matches(template)) {
            problems.invalid(
                    "spec.template.metadata.labels",
                    Meta.labels(template),
                    "`selector` does not match template `labels`");
        } else if (!spec.path("manualSelector").asBoolean() && !generated(job, selector)) {
            problems.invalid("spec.selector", selector, "`selector` not auto-generated");
        }
    }

    private static boolean generated(ObjectNode job, JsonNode selector) {
        JsonNode labels = selector.path("matchLabels");
        return selector.size() == 1
                && labels.size() == 1
                && labels.path(UID).asText().equals(Meta.uid(job));
    }

    static void changed(JsonNode old, JsonNode spec, Problems problems) {
        for (String field : List.of("completions", "selector", "template")) {
            if (!old.path(field).equals(spec.path(field))) {
                problems.invalid("spec." + field, spec.path(field), "field is immutable");
            }
        }
    }
}
