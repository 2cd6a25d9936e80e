package io.github.etcdgitops.fake;

import static io.github.etcdgitops.gateway.GatewayException.Kind.CONFLICT;
import static io.github.etcdgitops.gateway.GatewayException.Kind.REJECTED;

import io.github.etcdgitops.fake.FakeRing.Pod;
import io.github.etcdgitops.fake.FakeRing.StatefulSet;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Map;
import java.util.Optional;

/// What the API server asks before it changes something: the version and the UID that were read, the
/// owner, the epoch.
final class FakePreconditions {
    private FakePreconditions() {}

    static StatefulSet newStatefulSet(FakeWorld world, RingObjects wanted, int replicas) {
        var set = new StatefulSet();
        set.uid = world.nextUid();
        set.resourceVersion = world.nextVersion();
        set.epoch = wanted.epoch();
        set.replicas = replicas;
        set.partition = replicas;
        set.replicasByUs = true;
        set.storage = wanted.spec().storage();
        set.currentRevision = newRevision(world.ring(wanted.spec().ref()), wanted);
        set.updateRevision = set.currentRevision;
        set.labels = FakeViews.render(ManagedObject.STATEFUL_SET_LABELS, wanted);
        return set;
    }

    /// The same template is the same revision.
    static String newRevision(FakeRing ring, RingObjects wanted) {
        var template = new FakeRing.Template(
                FakeViews.templateDigest(wanted), wanted.applied().version());
        return ring.templates.entrySet().stream()
                .filter(known -> known.getValue().equals(template))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() -> {
                    String name = "revision-" + (ring.templates.size() + 1);
                    ring.templates.put(name, template);
                    return name;
                });
    }

    static StatefulSet statefulSet(FakeRing ring, GatewayException.Kind otherwise) {
        if (ring.statefulSet == null) {
            throw new GatewayException(otherwise, false, "there is no StatefulSet");
        }
        return ring.statefulSet;
    }

    static Pod pod(FakeRing ring, int ordinal, String uid) {
        var pod = ring.pods.get(ordinal);
        if (pod == null || !pod.uid.equals(uid)) {
            throw new GatewayException(CONFLICT, false, "the pod that was read is gone");
        }
        return pod;
    }

    static void expect(Optional<String> live, Optional<String> expected) {
        if (!live.equals(expected)) {
            throw new GatewayException(CONFLICT, false, "somebody else was faster");
        }
    }

    /// Nothing of somebody else's is changed, and nothing by a run that a newer one has overtaken.
    static long guard(boolean ours, long liveEpoch, long epoch) {
        if (!ours) {
            throw new GatewayException(REJECTED, false, "it belongs to somebody else");
        }
        if (liveEpoch > epoch) {
            throw new GatewayException(CONFLICT, false, "a newer run has changed it");
        }
        return epoch;
    }
}
