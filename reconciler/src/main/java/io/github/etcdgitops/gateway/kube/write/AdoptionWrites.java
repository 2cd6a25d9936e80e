package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.gateway.kube.manifest.TemplateDigest;
import io.github.etcdgitops.gateway.kube.read.ForeignObjectReads;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Makes foreign objects ours. It replaces the StatefulSet instead of changing it: selector, claim template
/// and Service of an existing one cannot be changed.
public final class AdoptionWrites {
    private static final String KEY = "statefulset.json";
    private static final int ATTEMPTS = 5;

    private final RingApis apis;

    public AdoptionWrites(RingApis apis) {
        this.apis = apis;
    }

    public void keep(ClusterRef ref, String uid, long epoch) {
        ObjectNode set = foreign(Verb.GET, ref, uid);
        Tree.metadata(set).remove("managedFields");
        set.remove("status");
        ObjectNode kept = Tree.object().put("apiVersion", "v1").put("kind", "ConfigMap");
        Tree.metadata(kept).put("name", Labels.adopted(ref)).put("namespace", ref.namespace());
        Labels.of(ref)
                .forEach((key, value) ->
                        Tree.metadata(kept).withObjectProperty("labels").put(key, value));
        Tree.annotate(kept, Labels.EPOCH, String.valueOf(epoch));
        kept.putObject("data").put(KEY, Tree.text(set));
        Optional<ObjectNode> live = apis.of(ref).get(ObjectKind.CONFIG_MAP, ref.namespace(), Labels.adopted(ref));
        if (live.isEmpty()) {
            apis.of(ref).create(ObjectKind.CONFIG_MAP, ref.namespace(), kept);
            return;
        }
        var call = ApiCall.of(Verb.UPDATE, ObjectKind.CONFIG_MAP, ref.namespace(), Labels.adopted(ref));
        WriteGuard.check(call, ref, live.get(), epoch);
        Tree.metadata(kept).put("resourceVersion", Tree.resourceVersion(live.get()));
        apis.of(ref).update(ObjectKind.CONFIG_MAP, ref.namespace(), kept);
    }

    public void orphan(ClusterRef ref, String uid) {
        ObjectNode set = foreign(Verb.DELETE, ref, uid);
        var call = ApiCall.of(Verb.DELETE, ObjectKind.STATEFUL_SET, ref.namespace(), ref.name());
        ObjectNode kept = kept(call, ref);
        if (!Tree.uid(kept).equals(uid) || !kept.path("spec").equals(set.path("spec"))) {
            throw call.failed(Kind.CONFLICT, "its current manifest is not saved in " + Labels.adopted(ref));
        }
        apis.of(ref).deleteOnly(ObjectKind.STATEFUL_SET, ref.namespace(), ref.name(), uid, Tree.resourceVersion(set));
    }

    public void takePod(ClusterRef ref, int ordinal, String uid) {
        var labels = new TreeMap<>(Labels.of(ref));
        labels.put(Labels.CLIENTS, Labels.YES);
        take(ObjectKind.POD, ref, ref.podName(ordinal), Optional.of(uid), labels);
    }

    public void takeClaim(ClusterRef ref, String name, String uid) {
        take(ObjectKind.CLAIM, ref, name, Optional.of(uid), Labels.of(ref));
    }

    public void takeService(ClusterRef ref) {
        if (apis.of(ref).get(ObjectKind.SERVICE, ref.namespace(), ref.name()).isPresent()) {
            take(ObjectKind.SERVICE, ref, ref.name(), Optional.empty(), Labels.of(ref));
        }
    }

    public void recreate(RingObjects wanted, int replicas) {
        ClusterRef ref = wanted.spec().ref();
        ObjectNode target = RingManifests.statefulSet(wanted, replicas);
        var call = ApiCall.of(Verb.CREATE, ObjectKind.STATEFUL_SET, ref.namespace(), ref.name());
        JsonNode template = kept(call, ref).path("spec").path("template");
        if (!(template instanceof ObjectNode former)) {
            throw call.failed(Kind.REJECTED, "the manifest in " + Labels.adopted(ref) + " has no pod template");
        }
        ObjectNode labels = Tree.metadata(former).withObjectProperty("labels");
        Labels.of(ref).forEach(labels::put);
        labels.put(Labels.CLIENTS, Labels.YES);
        target.withObjectProperty("spec").set("template", former);
        Tree.annotate(target, Labels.TEMPLATE_DIGEST, TemplateDigest.ofForeign(former));
        Tree.annotate(target, Labels.EPOCH, String.valueOf(wanted.epoch()));
        apis.of(ref).create(ObjectKind.STATEFUL_SET, ref.namespace(), target);
    }

    private ObjectNode kept(ApiCall call, ClusterRef ref) {
        ObjectNode live = apis.of(ref)
                .get(ObjectKind.CONFIG_MAP, ref.namespace(), Labels.adopted(ref))
                .orElseThrow(() -> call.failed(Kind.CONFLICT, "the ConfigMap " + Labels.adopted(ref) + " is gone"));
        ForeignObjectReads.refuse(call, ref, live);
        try {
            return Tree.parse(live.path("data").path(KEY).asText().getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            throw call.failed(Kind.REJECTED, "the manifest in " + Labels.adopted(ref) + " cannot be read");
        }
    }

    private ObjectNode foreign(Verb verb, ClusterRef ref, String uid) {
        var call = ApiCall.of(verb, ObjectKind.STATEFUL_SET, ref.namespace(), ref.name());
        return apis.of(ref)
                .get(ObjectKind.STATEFUL_SET, ref.namespace(), ref.name())
                .filter(set -> Tree.uid(set).equals(uid) && !Tree.ours(ref, set))
                .orElseThrow(() -> call.failed(Kind.CONFLICT, "the StatefulSet that was read is gone"));
    }

    /// A write by another process in between is no conflict, as long as it is the same object.
    private void take(ObjectKind kind, ClusterRef ref, String name, Optional<String> uid, Map<String, String> labels) {
        var call = ApiCall.of(Verb.UPDATE, kind, ref.namespace(), name);
        for (int attempt = 1; ; attempt++) {
            ObjectNode live = apis.of(ref)
                    .get(kind, ref.namespace(), name)
                    .filter(object ->
                            uid.filter(u -> !u.equals(Tree.uid(object))).isEmpty())
                    .orElseThrow(() -> call.failed(Kind.CONFLICT, "the one that was read is gone"));
            if (Tree.labels(live).entrySet().containsAll(labels.entrySet())) {
                return;
            }
            if (owned(live)) {
                throw call.failed(Kind.CONFLICT, "a controller owns it");
            }
            labels.forEach((key, value) ->
                    Tree.metadata(live).withObjectProperty("labels").put(key, value));
            try {
                apis.of(ref).update(kind, ref.namespace(), live);
                return;
            } catch (io.github.etcdgitops.gateway.GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static boolean owned(JsonNode object) {
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return true;
            }
        }
        return false;
    }
}
