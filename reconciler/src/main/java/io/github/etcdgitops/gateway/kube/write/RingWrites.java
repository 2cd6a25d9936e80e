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
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.gateway.kube.read.Part;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Journal;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Changes to a ring's own objects. Each is a create, or an update of the object just read under its
/// resourceVersion: never a server-side apply, whose forced ownership would overwrite an unseen change.
///
/// Every changed object carries the writer's epoch. If an object has a higher epoch, a newer holder of the
/// ring's Lease has changed it: the writer is late and gets a conflict.
public final class RingWrites {
    /// Set by the server and immutable, or lost by an update that does not repeat them.
    private static final List<String> SERVICE_KEEPS =
            List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort");

    private final RingApis apis;

    public RingWrites(RingApis apis) {
        this.apis = apis;
    }

    public void apply(ManagedObject object, RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        Part part = Part.of(object);
        ObjectNode target = RingManifests.render(object, wanted);
        Tree.annotate(target, Labels.EPOCH, String.valueOf(wanted.epoch()));
        Optional<ObjectNode> found = apis.of(ref).get(part.kind(), ref.namespace(), part.name(ref));
        if (found.isEmpty() && object == ManagedObject.STATEFUL_SET_LABELS) {
            throw call(Verb.UPDATE, part, ref).failed(Kind.NOT_FOUND, "there is no StatefulSet to label");
        }
        if (found.isEmpty()) {
            apis.of(ref).create(part.kind(), ref.namespace(), target);
            return;
        }
        ObjectNode live = found.get();
        WriteGuard.check(call(Verb.UPDATE, part, ref), ref, live, wanted.epoch());
        if (Drifts.pointers(target, Tree.plain(live)).isEmpty()) {
            return;
        }
        apis.of(ref).update(part.kind(), ref.namespace(), merged(object, target, live));
    }

    /// By the UID of the object just read: if it is gone or replaced in between, that is a conflict.
    public void delete(ManagedObject object, ClusterRef ref, long epoch) {
        Part part = Part.of(object);
        ApiCall call = call(Verb.DELETE, part, ref);
        if (part == Part.STATEFUL_SET) {
            throw call.failed(Kind.REJECTED, "members are never deleted with their labels");
        }
        apis.of(ref)
                .get(part.kind(), ref.namespace(), part.name(ref))
                .filter(live -> !Tree.terminating(live))
                .ifPresent(live -> {
                    WriteGuard.check(call, ref, live, epoch);
                    apis.of(ref).delete(part.kind(), ref.namespace(), part.name(ref), Tree.uid(live));
                });
    }

    /// The live object with the wanted content. Foreign labels and annotations, and what the server has
    /// set, stay.
    private static ObjectNode merged(ManagedObject object, ObjectNode target, ObjectNode live) {
        ObjectNode merged = live.deepCopy();
        Tree.metadata(merged)
                .withObjectProperty("labels")
                .setAll(target.withObjectProperty("metadata").withObjectProperty("labels"));
        Tree.metadata(merged)
                .withObjectProperty("annotations")
                .setAll(Tree.metadata(target).withObjectProperty("annotations"));
        if (object == ManagedObject.STATEFUL_SET_LABELS) {
            return merged;
        }
        for (String section : List.of("spec", "data", "binaryData")) {
            JsonNode content = target.get(section);
            if (content == null) {
                merged.remove(section);
            } else {
                merged.set(section, content.deepCopy());
            }
        }
        if (Part.of(object).kind() == ObjectKind.SERVICE) {
            keep(merged.withObjectProperty("spec"), live.path("spec"));
        }
        return merged;
    }

    private static void keep(ObjectNode spec, JsonNode live) {
        for (String field : SERVICE_KEEPS) {
            if (!spec.has(field) && live.hasNonNull(field)) {
                spec.set(field, live.get(field));
            }
        }
    }

    public String writeJournal(ClusterRef ref, Journal journal, Optional<String> resourceVersion) {
        ObjectNode target = RingManifests.journal(ref, journal);
        Tree.annotate(target, Labels.EPOCH, String.valueOf(journal.epoch()));
        resourceVersion.ifPresent(version -> Tree.metadata(target).put("resourceVersion", version));
        ObjectNode written = resourceVersion.isPresent()
                ? apis.of(ref).update(ObjectKind.CONFIG_MAP, ref.namespace(), target)
                : apis.of(ref).create(ObjectKind.CONFIG_MAP, ref.namespace(), target);
        return Tree.resourceVersion(written);
    }

    public void writeMemberConfig(RingObjects wanted, int ordinal, Optional<MemberConfig> config) {
        ClusterRef ref = wanted.spec().ref();
        Optional<String> file = config.map(c -> MemberConfigFile.write(ref, ordinal, c, wanted.applied()));
        Optional<ObjectNode> found = apis.of(ref).get(ObjectKind.CONFIG_MAP, ref.namespace(), Labels.members(ref));
        if (found.isEmpty()) {
            file.ifPresent(text -> createMembers(wanted, ordinal, text));
            return;
        }
        ObjectNode live = found.get();
        WriteGuard.check(call(Verb.UPDATE, Part.MEMBERS, ref), ref, live, wanted.epoch());
        String key = MemberConfigFile.key(ref, ordinal);
        ObjectNode data = live.withObjectProperty("data");
        if (file.equals(Optional.ofNullable(data.get(key)).map(JsonNode::asText))) {
            return;
        }
        file.ifPresentOrElse(text -> data.put(key, text), () -> data.remove(key));
        Tree.annotate(live, Labels.EPOCH, String.valueOf(wanted.epoch()));
        apis.of(ref).update(ObjectKind.CONFIG_MAP, ref.namespace(), live);
    }

    private void createMembers(RingObjects wanted, int ordinal, String text) {
        ClusterRef ref = wanted.spec().ref();
        var files = new TreeMap<Integer, String>();
        files.put(ordinal, text);
        ObjectNode target = RingManifests.members(ref, files, wanted.epoch());
        Tree.annotate(target, Labels.EPOCH, String.valueOf(wanted.epoch()));
        apis.of(ref).create(ObjectKind.CONFIG_MAP, ref.namespace(), target);
    }

    public void createStatefulSet(RingObjects wanted, int replicas) {
        ObjectNode target = RingManifests.statefulSet(wanted, replicas);
        setBoth(target, replicas);
        Tree.annotate(target, Labels.EPOCH, String.valueOf(wanted.epoch()));
        apis.of(wanted.spec().ref())
                .create(ObjectKind.STATEFUL_SET, wanted.spec().ref().namespace(), target);
    }

    public void setReplicas(ClusterRef ref, KubeState.StatefulSetState expected, int replicas, long epoch) {
        new StatefulSetWrite(apis, ref, expected, epoch).change(set -> setBoth(set, replicas));
    }

    private static void setBoth(ObjectNode statefulSet, int replicas) {
        ObjectNode spec = statefulSet.withObjectProperty("spec").put("replicas", replicas);
        spec.withObjectProperty("updateStrategy")
                .put("type", "RollingUpdate")
                .withObjectProperty("rollingUpdate")
                .put("partition", replicas);
    }

    private static ApiCall call(Verb verb, Part part, ClusterRef ref) {
        return ApiCall.of(verb, part.kind(), ref.namespace(), part.name(ref));
    }
}
