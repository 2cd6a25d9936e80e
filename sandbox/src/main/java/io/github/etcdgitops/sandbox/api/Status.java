package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;

/// The answers that are no objects.
final class Status {
    private Status() {}

    static ObjectNode failure(Refusal refusal) {
        ObjectNode status = empty("Failure").put("message", refusal.getMessage());
        if (!refusal.reason().isEmpty()) {
            status.put("reason", refusal.reason());
        }
        refusal.subject().ifPresent(subject -> {
            ObjectNode details = status.withObjectProperty("details").put("name", subject.name());
            if (!subject.group().isEmpty()) {
                details.put("group", subject.group());
            }
            details.put("kind", subject.kind());
        });
        for (Refusal.Cause cause : refusal.causes()) {
            ObjectNode one = status.withObjectProperty("details")
                    .withArrayProperty("causes")
                    .addObject()
                    .put("reason", cause.reason())
                    .put("message", cause.message());
            if (!cause.field().isEmpty()) {
                one.put("field", cause.field());
            }
        }
        return status.put("code", refusal.code());
    }

    static ObjectNode done(Target target, ObjectNode object) {
        ObjectNode status = empty("Success");
        ObjectNode details = status.putObject("details").put("name", Meta.name(object));
        if (!target.resource().group().isEmpty()) {
            details.put("group", target.resource().group());
        }
        details.put("kind", target.resource().plural()).put("uid", Meta.uid(object));
        return status;
    }

    static ObjectNode created() {
        return empty("Success").put("code", 201);
    }

    private static ObjectNode empty(String outcome) {
        ObjectNode status = Call.JSON.createObjectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", outcome);
    }
}
