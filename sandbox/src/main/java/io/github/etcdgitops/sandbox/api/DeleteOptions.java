package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.util.Optional;

/// How something is to be deleted; the body of the request goes before its query.
record DeleteOptions(KubeObjects.Deletion how, Propagation propagation, boolean dryRun) {
    /// What becomes of that which the object owns.
    enum Propagation {
        /// It goes after the object.
        BACKGROUND(""),
        /// The object goes after it.
        FOREGROUND("foregroundDeletion"),
        /// It stays.
        ORPHAN("orphan");

        /// What holds the object until whoever collects what is owned has done his part.
        private final String finalizer;

        Propagation(String finalizer) {
            this.finalizer = finalizer;
        }
    }

    static DeleteOptions of(Call call, JsonNode options) {
        JsonNode preconditions = options.path("preconditions");
        Optional<Long> grace = options.hasNonNull("gracePeriodSeconds")
                ? Optional.of(options.path("gracePeriodSeconds").asLong())
                : call.number("gracePeriodSeconds");
        boolean dryRun =
                call.dryRun() || options.path("dryRun").path(0).asText().equals("All");
        return new DeleteOptions(
                new KubeObjects.Deletion(text(preconditions, "uid"), text(preconditions, "resourceVersion"), grace),
                propagation(call, options),
                dryRun);
    }

    private static Propagation propagation(Call call, JsonNode options) {
        String said = options.path("propagationPolicy").asText(call.parameter("propagationPolicy"));
        boolean orphans = options.path("orphanDependents").asBoolean(call.flag("orphanDependents"));
        return switch (said) {
            case "Orphan" -> Propagation.ORPHAN;
            case "Foreground" -> Propagation.FOREGROUND;
            case "Background" -> Propagation.BACKGROUND;
            case "" -> orphans || keepsByDefault(call, options) ? Propagation.ORPHAN : Propagation.BACKGROUND;
            default -> throw Refusal.badRequest("invalid propagation policy \"" + said + "\"");
        };
    }

    /// The pods of a Job stay where nothing is said, as they did before there was anything to say.
    private static boolean keepsByDefault(Call call, JsonNode options) {
        return call.target().resource() == Resource.JOB
                && !options.has("orphanDependents")
                && call.parameter("orphanDependents").isEmpty();
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.ofNullable(node.get(field)).map(JsonNode::asText).filter(text -> !text.isEmpty());
    }

    void carryOut(KubeObjects objects, Target target) {
        KubeObjects.Deletion deletion = propagation == Propagation.BACKGROUND ? how : held(objects, target);
        objects.delete(target.resource(), target.namespace(), target.name(), deletion);
    }

    /// Nobody may take it back in the meantime, so it is the object that is about to go that says so.
    private KubeObjects.Deletion held(KubeObjects objects, Target target) {
        objects.update(target.resource(), target.namespace(), target.name(), object -> {
            how.uid().ifPresent(uid -> Meta.of(object).put("uid", uid));
            how.resourceVersion().ifPresent(version -> Meta.of(object).put("resourceVersion", version));
            if (!Meta.deleting(object)) {
                Meta.of(object).withArrayProperty("finalizers").add(propagation.finalizer);
            }
            return object;
        });
        return new KubeObjects.Deletion(how.uid(), Optional.empty(), how.graceSeconds());
    }
}
