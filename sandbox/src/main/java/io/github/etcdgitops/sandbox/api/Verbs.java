package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The requests that end with one answer.
final class Verbs {
    private static final Set<Resource> MADE_BY_UPDATE =
            Set.of(Resource.LEASE, Resource.SERVICE, Resource.ENDPOINTS, Resource.EVENT);

    private final KubeObjects real;
    private final Pages pages;

    Verbs(KubeObjects objects) {
        this.real = objects;
        this.pages = new Pages(objects);
    }

    Answer answer(Call call) {
        KubeObjects objects = call.dryRun() ? real.dryRun() : real;
        Target target = call.target();
        return switch (call.method()) {
            case "GET" -> Answer.ok(Tables.wanted(call) ? Tables.of(call, read(call)) : read(call));
            case "POST" -> target.collection() ? create(objects, call) : evict(call);
            case "PUT" -> update(objects, call);
            case "PATCH" -> Answer.ok(served(call, write(objects, call, patch(call))));
            case "DELETE" -> Answer.ok(target.collection() ? deleteAll(objects, call) : delete(objects, call));
            default -> throw notAllowed();
        };
    }

    private ObjectNode read(Call call) {
        Target target = call.target();
        if (target.collection()) {
            return list(call, pages.page(call));
        }
        ObjectNode object = existing(real, target);
        return switch (target.part()) {
            case "", "status" -> served(call, object);
            case "scale" -> Scales.of(object);
            default -> throw notServed();
        };
    }

    private static ObjectNode list(Call call, Pages.Page page) {
        ObjectNode list = Call.JSON
                .createObjectNode()
                .put("kind", call.target().resource().kind() + "List")
                .put("apiVersion", call.target().apiVersion());
        ObjectNode meta = list.putObject("metadata").put("resourceVersion", Long.toString(page.resourceVersion()));
        page.next().ifPresent(token -> meta.put("continue", token));
        if (page.remaining() > 0) {
            meta.put("remainingItemCount", page.remaining());
        }
        ArrayNode items = list.putArray("items");
        // Copies: a page is remembered for the next request.
        page.items().forEach(item -> items.add(item.deepCopy().without(java.util.List.of("apiVersion", "kind"))));
        return list;
    }

    private static ObjectNode served(Call call, ObjectNode object) {
        return call.target().part().equals("scale")
                ? Scales.of(object)
                : object.put("apiVersion", call.target().apiVersion());
    }

    private static Answer create(KubeObjects objects, Call call) {
        Target target = call.target();
        ObjectNode object = call.object();
        inNamespace(target, object);
        return new Answer(201, served(call, objects.create(target.resource(), target.namespace(), object)));
    }

    private static void inNamespace(Target target, ObjectNode object) {
        String said = Meta.namespace(object);
        if (!said.isEmpty() && !said.equals(target.namespace())) {
            throw Refusal.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private static Answer update(KubeObjects objects, Call call) {
        Target target = call.target();
        if (target.part().equals("scale")) {
            return Answer.ok(served(call, write(objects, call, object -> Scales.scaled(object, call.body()))));
        }
        ObjectNode object = call.object();
        inNamespace(target, object);
        String name = Meta.name(object);
        if (!name.equals(target.name())) {
            throw Refusal.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
        if (target.part().isEmpty()
                && objects.find(target.resource(), target.namespace(), name).isEmpty()) {
            return absent(objects, call, object);
        }
        return Answer.ok(served(call, write(objects, call, unused -> object.deepCopy())));
    }

    /// Some kinds are made by an update, whatever resourceVersion it carries, unless it says whom it means.
    private static Answer absent(KubeObjects objects, Call call, ObjectNode object) {
        Target target = call.target();
        if (!Meta.uid(object).isEmpty()) {
            throw Refusal.conflict(
                    target.resource(),
                    target.name(),
                    "Precondition failed: UID in precondition: " + Meta.uid(object) + ", UID in object meta: ");
        }
        if (!MADE_BY_UPDATE.contains(target.resource())) {
            throw Refusal.notFound(target.resource(), target.name());
        }
        Meta.of(object).remove("resourceVersion");
        return create(objects, call.withContent(object));
    }

    private static ObjectNode write(KubeObjects objects, Call call, UnaryOperator<ObjectNode> change) {
        Target target = call.target();
        return switch (target.part()) {
            case "", "scale" -> objects.update(target.resource(), target.namespace(), target.name(), change);
            case "status", "finalize" ->
                objects.updateStatus(target.resource(), target.namespace(), target.name(), change);
            default -> throw notServed();
        };
    }

    private static UnaryOperator<ObjectNode> patch(Call call) {
        UnaryOperator<ObjectNode> patch = Patches.of(call);
        return call.target().part().equals("scale")
                ? object -> Scales.scaled(object, patch.apply(Scales.of(object)))
                : object -> patch.apply(object.put("apiVersion", call.target().apiVersion()));
    }

    private ObjectNode delete(KubeObjects objects, Call call) {
        Target target = call.target();
        DeleteOptions options = DeleteOptions.of(call, call.body());
        KubeObjects on = options.dryRun() ? real.dryRun() : objects;
        ObjectNode before = existing(on, target);
        options.carryOut(on, target);
        Optional<ObjectNode> left = on.find(target.resource(), target.namespace(), target.name())
                .filter(object -> Meta.uid(object).equals(Meta.uid(before)));
        return left.map(object -> served(call, object)).orElseGet(() -> Status.done(target, before));
    }

    private ObjectNode deleteAll(KubeObjects objects, Call call) {
        Target target = call.target();
        if (target.resource().namespaced() && target.namespace().isEmpty()) {
            throw notAllowed();
        }
        DeleteOptions options = DeleteOptions.of(call, call.body());
        KubeObjects on = options.dryRun() ? real.dryRun() : objects;
        Pages.Page page = pages.page(call);
        for (ObjectNode item : page.items()) {
            try {
                options.carryOut(on, target.of(Meta.name(item)));
            } catch (Refusal refusal) {
                if (refusal.code() != 404) {
                    throw refusal;
                }
            }
        }
        return list(call, page);
    }

    private Answer evict(Call call) {
        Target target = call.target();
        if (target.resource() != Resource.POD || !target.part().equals("eviction")) {
            throw notServed();
        }
        JsonNode eviction = call.body();
        String name = Meta.name(eviction);
        if (!name.isEmpty() && !name.equals(target.name())) {
            throw Refusal.badRequest("name in URL does not match name in Eviction object");
        }
        DeleteOptions options = DeleteOptions.of(call, eviction.path("deleteOptions"));
        KubeObjects on = options.dryRun() ? real.dryRun() : real;
        on.evict(target.namespace(), target.name(), options.how());
        return new Answer(201, Status.created());
    }

    private static ObjectNode existing(KubeObjects objects, Target target) {
        return objects.find(target.resource(), target.namespace(), target.name())
                .orElseThrow(() -> Refusal.notFound(target.resource(), target.name()));
    }

    static Refusal notServed() {
        return new Refusal(404, "NotFound", "the server could not find the requested resource");
    }

    static Refusal notAllowed() {
        return new Refusal(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }
}
