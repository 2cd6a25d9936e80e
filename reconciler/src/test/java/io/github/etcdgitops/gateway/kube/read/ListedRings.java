package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.gateway.kube.manifest.StatefulSetManifest;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Rings of three members as an API server lists them: with all fields that it adds.
final class ListedRings {
    static final int MEMBERS = 3;
    private static final JsonFactory JSON = new JsonFactory();

    private final Map<ObjectKind, ListedObjects> lists = new EnumMap<>(ObjectKind.class);
    private final Map<ObjectKind, PackedTexts> texts = new EnumMap<>(ObjectKind.class);
    private final ListedObjects.Shared shared = new ListedObjects.Shared(_ -> true, new AtomicLong(1L << 40));
    private long read;

    ListedRings() {
        for (ObjectKind kind : ObjectKind.values()) {
            texts.put(kind, new PackedTexts(shared.room()));
            lists.put(kind, new ListedObjects(kind, shared, texts.get(kind)));
        }
    }

    static Map<ObjectKind, List<ObjectNode>> objects(ClusterRef ref) {
        var spec = Given.spec(ref, MEMBERS, "3.5.16");
        var applied = MemberSettings.founding(spec.server(), spec.server().version());
        var wanted = new RingObjects(spec, applied, MEMBERS, Budget.of(MEMBERS), 1, Optional.empty());
        var all = new EnumMap<ObjectKind, List<ObjectNode>>(ObjectKind.class);
        for (ManagedObject object : ManagedObject.values()) {
            if (object != ManagedObject.STATEFUL_SET_LABELS) {
                var part = Part.of(object);
                add(all, part.kind(), part.name(ref), RingManifests.render(object, wanted));
            }
        }
        add(all, ObjectKind.STATEFUL_SET, ref.name(), RingManifests.statefulSet(wanted, MEMBERS));
        var files = new TreeMap<Integer, String>();
        var members = new TreeMap<Integer, Journal.Member>();
        for (int i = 0; i < MEMBERS; i++) {
            String claim = ref.claimName(ClusterRef.CLAIMS, i);
            files.put(i, MemberConfigFile.write(ref, i, new MemberConfig.Sealed("i-" + i), applied));
            members.put(
                    i,
                    new Journal.Member(
                            "i-" + i,
                            Optional.of(new EtcdId(uuid(ref, claim).getMostSignificantBits())),
                            Optional.of(uuid(ref, claim).toString())));
            add(all, ObjectKind.CLAIM, claim, StatefulSetManifest.claim(ref, claim, spec.storage()));
            add(all, ObjectKind.POD, ref.podName(i), pod(ref, i));
        }
        var journal = new Journal(
                1,
                uuid(ref, "token").toString(),
                Optional.of(new EtcdId(uuid(ref, "cluster").getMostSignificantBits())),
                applied,
                members,
                Optional.empty());
        add(all, ObjectKind.CONFIG_MAP, Labels.journal(ref), RingManifests.journal(ref, journal));
        add(all, ObjectKind.CONFIG_MAP, Labels.members(ref), RingManifests.members(ref, files, 1));
        return all;
    }

    private static UUID uuid(ClusterRef ref, String what) {
        return UUID.nameUUIDFromBytes((ref + " " + what).getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode pod(ClusterRef ref, int ordinal) {
        var pod = Tree.object();
        Tree.metadata(pod).putPOJO("labels", null);
        var labels = Tree.metadata(pod).putObject("labels");
        Labels.of(ref).forEach(labels::put);
        labels.put(Labels.REVISION, ref.name() + "-5d8f9");
        pod.putObject("spec")
                .put("nodeName", "node-" + ordinal)
                .putArray("containers")
                .addObject()
                .put("name", "etcd");
        var status = pod.putObject("status").put("phase", "Running").put("podIP", "10.0.0." + ordinal);
        status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
        var container = status.putArray("containerStatuses").addObject().put("restartCount", 2);
        container.put("containerID", "containerd://" + uuid(ref, "container" + ordinal));
        container.putObject("state").putObject("running").put("startedAt", "2026-01-02T03:04:05Z");
        return pod;
    }

    private static void add(Map<ObjectKind, List<ObjectNode>> all, ObjectKind kind, String name, ObjectNode object) {
        var metadata = Tree.metadata(object);
        String namespace = metadata.path("labels").path(Labels.CLUSTER).asText();
        metadata.put("name", name)
                .put("namespace", "ns-" + namespace)
                .put("uid", uuid(new ClusterRef(namespace, name), kind.kind()).toString())
                .put("resourceVersion", "" + Math.abs(name.hashCode()))
                .put("generation", 1)
                .put("creationTimestamp", "2026-01-02T03:04:05Z");
        metadata.putArray("managedFields")
                .addObject()
                .put("manager", "etcd-gitops")
                .putObject("fieldsV1")
                .put("f:spec", "x".repeat(1000));
        all.computeIfAbsent(kind, _ -> new ArrayList<>()).add(object);
    }

    static ClusterRef ref(int ring) {
        return new ClusterRef("ns-ring-" + ring, "ring-" + ring);
    }

    void add(ClusterRef ref) {
        objects(ref).forEach((kind, objects) -> objects.forEach(object -> add(kind, object)));
    }

    void add(ObjectKind kind, ObjectNode object) {
        byte[] json = object.toString().getBytes(StandardCharsets.UTF_8);
        read += json.length;
        try (var parser = JSON.createParser(json)) {
            parser.nextToken();
            lists.get(kind).add(ListedObject.read(parser, kind, kind.apiVersion()), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PackedRings packed() {
        texts.values().forEach(PackedTexts::end);
        var listed = new EnumMap<ObjectKind, Observed<Map<ClusterRef, ListedObjects.Parts>>>(ObjectKind.class);
        lists.forEach((kind, objects) -> listed.put(kind, Observed.known(objects.byRing())));
        return new PackedRings(listed, texts, List.of());
    }

    /// The bytes of all objects.
    long read() {
        return read;
    }

    /// What is taken from the room for everything that stays.
    long kept() {
        return (1L << 40) - shared.room().get();
    }
}
