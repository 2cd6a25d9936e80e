package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.Optional;

/// How something is to be deleted; the body of the request goes before its query.
record DeleteOptions(KubeObjects.Deletion how, boolean orphans, boolean dryRun) {
    static DeleteOptions of(Call call, JsonNode options) {
        JsonNode preconditions = options.path("preconditions");
        Optional<Long> grace = options.hasNonNull("gracePeriodSeconds")
                ? Optional.of(options.path("gracePeriodSeconds").asLong())
                : call.number("gracePeriodSeconds");
        String propagation = options.path("propagationPolicy").asText(call.parameter("propagationPolicy"));
        boolean orphans = propagation.equals("Orphan")
                || options.path("orphanDependents").asBoolean(call.flag("orphanDependents"));
        boolean dryRun =
                call.dryRun() || options.path("dryRun").path(0).asText().equals("All");
        return new DeleteOptions(
                new KubeObjects.Deletion(text(preconditions, "uid"), text(preconditions, "resourceVersion"), grace),
                orphans,
                dryRun);
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.ofNullable(node.get(field)).map(JsonNode::asText).filter(text -> !text.isEmpty());
    }

    /// Whoever collects what is owned lets go of it first. Nobody may take it back in the meantime, so it is the object
    /// that is about to go that says so.
    static KubeObjects.Deletion orphaning(KubeObjects objects, Target target, KubeObjects.Deletion how) {
        objects.update(target.resource(), target.namespace(), target.name(), object -> {
            how.uid().ifPresent(uid -> Meta.of(object).put("uid", uid));
            how.resourceVersion().ifPresent(version -> Meta.of(object).put("resourceVersion", version));
            Meta.of(object).withArrayProperty("finalizers").add("orphan");
            return object;
        });
        return new KubeObjects.Deletion(how.uid(), Optional.empty(), how.graceSeconds());
    }
}
