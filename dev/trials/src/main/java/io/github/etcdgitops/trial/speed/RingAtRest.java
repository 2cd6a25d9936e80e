package io.github.etcdgitops.trial.speed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.gateway.kube.manifest.StatefulSetManifest;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// The objects of a ring that exactly matches its document, as an API server shows them. For a ring without TLS.
record RingAtRest(EtcdClusterSpec spec) {
    private static final String REVISION = "at-rest";
    private static final long ID = 0x5eed_0000_0000_0000L;

    List<ObjectNode> objects() {
        var ref = spec.ref();
        var wanted = new RingObjects(spec, applied(), spec.size(), Budget.of(spec.size()), 1);
        var files = each(
                ordinal -> MemberConfigFile.write(ref, ordinal, new MemberConfig.Sealed("a" + ordinal), applied()));
        var all = new ArrayList<ObjectNode>();
        Arrays.stream(ManagedObject.values())
                .filter(object -> object != ManagedObject.STATEFUL_SET_LABELS)
                .map(object -> RingManifests.render(object, wanted))
                .forEach(all::add);
        all.add(RingManifests.statefulSet(wanted, spec.size()));
        all.add(RingManifests.members(ref, files, 1));
        all.add(RingManifests.journal(ref, journal()));
        each(this::pod).values().forEach(all::add);
        each(this::claim).values().forEach(all::add);
        all.forEach(this::stored);
        return List.copyOf(all);
    }

    private MemberSettings applied() {
        return MemberSettings.founding(spec.server(), spec.server().version());
    }

    private Journal journal() {
        return new Journal(
                1,
                "token",
                Optional.of(new EtcdId(ID)),
                applied(),
                each(ordinal -> new Journal.Member(
                        "a" + ordinal, Optional.of(new EtcdId(ID + 1 + ordinal)), Optional.of(uid(claim(ordinal))))),
                Optional.empty());
    }

    private ObjectNode pod(int ordinal) {
        var pod = Tree.object().put("apiVersion", "v1").put("kind", ObjectKind.POD.kind());
        var labels = Tree.metadata(pod).put("name", spec.ref().podName(ordinal)).withObjectProperty("labels");
        Labels.of(spec.ref()).forEach(labels::put);
        labels.put(Labels.CLIENTS, Labels.YES).put(Labels.REVISION, REVISION);
        var status = pod.withObjectProperty("status").put("phase", "Running").put("podIP", "192.0.2." + (1 + ordinal));
        status.withArrayProperty("conditions").addObject().put("type", "Ready").put("status", "True");
        status.withArrayProperty("containerStatuses")
                .addObject()
                .put("restartCount", 0)
                .withObjectProperty("state")
                .withObjectProperty("running");
        return pod;
    }

    private ObjectNode claim(int ordinal) {
        var claim = StatefulSetManifest.claim(spec.ref(), spec.ref().claimName(ordinal), spec.storage());
        claim.withObjectProperty("spec").put("storageClassName", "standard");
        var status = claim.withObjectProperty("status").put("phase", "Bound");
        status.withObjectProperty("capacity").put("storage", spec.storage().size());
        return claim;
    }

    /// With what the server and the controllers add.
    private void stored(ObjectNode object) {
        Tree.metadata(object)
                .put("namespace", spec.ref().namespace())
                .put("uid", uid(object))
                .put("resourceVersion", "1")
                .put("generation", 1);
        var status = object.withObjectProperty("status").put("observedGeneration", 1);
        switch (object.path("kind").asText()) {
            case "StatefulSet" -> status.put("currentRevision", REVISION).put("updateRevision", REVISION);
            case "PodDisruptionBudget" -> status.put("disruptionsAllowed", spec.size() - Budget.of(spec.size()));
            default -> {}
        }
    }

    private static String uid(ObjectNode object) {
        return object.path("kind").asText() + "-" + Tree.name(object);
    }

    private <T> TreeMap<Integer, T> each(IntFunction<T> made) {
        var all = new TreeMap<Integer, T>();
        IntStream.range(0, spec.size()).forEach(ordinal -> all.put(ordinal, made.apply(ordinal)));
        return all;
    }
}
