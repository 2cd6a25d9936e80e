package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.manifest.ConfigMapManifests;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.BudgetState;
import io.github.etcdgitops.state.ClaimPhase;
import io.github.etcdgitops.state.Departure;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Machine;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.PodPhase;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// How a ring's objects look from outside, and what they should look like. The content of an object is
/// a few fields that stand for the real manifest.
final class FakeViews {
    private FakeViews() {}

    /// `claims` bounds the claims that are read by name; a LIST shows those with our labels.
    static KubeState state(FakeRing ring, int claims, boolean byName) {
        boolean all = byName && ring.unreadable.isEmpty();
        return new KubeState(
                part(
                        ring,
                        Part.STATEFUL_SET,
                        () -> Optional.ofNullable(ring.statefulSet).map(set -> statefulSet(ring, set))),
                part(ring, Part.JOURNAL, () -> Optional.ofNullable(ring.journal)),
                ring.pods.values().stream().allMatch(pod -> pod.ours) || adopting(ring)
                        ? part(ring, Part.PODS, () -> pods(ring, byName))
                        : Observed.unknown("a pod belongs to somebody else"),
                part(ring, Part.CLAIMS, () -> claims(ring, claims, byName)),
                foreignBudget(ring)
                        ? Observed.unknown("the budget belongs to somebody else")
                        : part(ring, Part.BUDGET, () -> budget(ring)),
                part(ring, Part.CONFIGS, () -> ring.configs),
                new KubeState.Objects(all, part(ring, Part.OBJECTS, () -> live(ring))));
    }

    private static <T> Observed<T> part(FakeRing ring, Part part, Supplier<T> value) {
        return ring.unreadable.contains(part)
                ? Observed.unknown(part + " could not be read")
                : Observed.known(value.get());
    }

    static KubeState.StatefulSetState statefulSet(FakeRing ring, FakeRing.StatefulSet set) {
        return new KubeState.StatefulSetState(
                set.uid,
                set.resourceVersion,
                new KubeState.Marks(set.ours, set.orphaning, Optional.ofNullable(set.suspended)),
                set.replicas,
                new KubeState.Rollout(set.partition, set.currentRevision, set.updateRevision, set.settled),
                new KubeState.Template(ring.templates.get(set.updateRevision).digest(), Optional.of(set.storage)));
    }

    static SortedMap<Integer, KubeState.PodState> pods(FakeRing ring, boolean byName) {
        var pods = new TreeMap<Integer, KubeState.PodState>();
        ring.pods.forEach((ordinal, pod) -> pods.put(
                ordinal,
                new KubeState.PodState(
                        ring.ref.podName(ordinal),
                        pod.uid,
                        Optional.ofNullable(pod.ip),
                        pod.revision,
                        "yes".equals(pod.labels.get(Labels.CLIENTS)),
                        new KubeState.Life(
                                pod.ready,
                                pod.terminating,
                                pod.restarts,
                                Optional.ofNullable(pod.trouble),
                                whereabouts(ring, ordinal, pod, byName)))));
        return pods;
    }

    /// Of a machine that is gone, the last that was heard is that all was well.
    private static KubeState.Whereabouts whereabouts(FakeRing ring, int ordinal, FakeRing.Pod pod, boolean byName) {
        if (homeless(ring, ordinal) && pod.ip == null) {
            return new KubeState.Whereabouts(PodPhase.PENDING, Optional.empty(), false);
        }
        boolean runs = (pod.process != null && pod.process.running) || ring.stopped.contains(ordinal);
        var since = Optional.ofNullable(ring.silentSince.get(ordinal));
        String node = "node-" + ordinal;
        return new KubeState.Whereabouts(
                pod.ip == null ? PodPhase.PENDING : PodPhase.RUNNING,
                Optional.of(node),
                runs,
                since.filter(_ -> pod.terminating),
                since.filter(_ -> byName).map(s -> new Host(node, machine(ring, new Machine.Silent(s)))));
    }

    static boolean homeless(FakeRing ring, int ordinal) {
        var claim = ring.claims.get(ordinal);
        return claim != null && claim.home != null && ring.gone.contains(claim.home);
    }

    private static Optional<Host> home(FakeRing ring, int ordinal, FakeRing.Claim claim) {
        return Optional.ofNullable(claim.home)
                .filter(ring.gone::contains)
                .map(home -> new Host(home, machine(ring, new Machine.Gone())));
    }

    private static Observed<Machine> machine(FakeRing ring, Machine machine) {
        return ring.machinesUnreadable ? Observed.unknown("get nodes: HTTP 403") : Observed.known(machine);
    }

    private static SortedMap<Integer, KubeState.ClaimState> claims(FakeRing ring, int bound, boolean byName) {
        var claims = new TreeMap<Integer, KubeState.ClaimState>();
        ring.claims.forEach((ordinal, claim) -> {
            boolean named = ring.claimTemplate.equals("data") || ring.statefulSet != null || ring.journal != null;
            if (byName ? ordinal < bound && named : claim.ours) {
                claims.put(
                        ordinal,
                        new KubeState.ClaimState(
                                ring.claimTemplate + "-" + ring.ref.podName(ordinal),
                                claim.uid,
                                claim.lost ? ClaimPhase.LOST : claim.pending ? ClaimPhase.PENDING : ClaimPhase.BOUND,
                                claim.ours,
                                claim.terminating,
                                claim.released
                                        ? Optional.of(new Departure(Optional.ofNullable(claim.releasedAt)))
                                        : Optional.empty(),
                                FakeVolumes.state(claim, byName ? home(ring, ordinal, claim) : Optional.empty())));
            }
        });
        return claims;
    }

    private static boolean adopting(FakeRing ring) {
        return ring.journal != null && ring.journal.journal().isUnderWay(Intent.Kind.ADOPT);
    }

    private static boolean foreignBudget(FakeRing ring) {
        var budget = ring.objects.get(ManagedObject.BUDGET);
        return budget != null && !budget.ours();
    }

    private static Optional<BudgetState> budget(FakeRing ring) {
        return ring.minAvailable()
                .map(min -> new BudgetState(min, ring.budgetSettled ? ring.disruptionsAllowed : 0, ring.budgetSettled));
    }

    private static Map<ManagedObject, Map<String, Object>> live(FakeRing ring) {
        var live = new EnumMap<ManagedObject, Map<String, Object>>(ManagedObject.class);
        ring.objects.forEach((object, thing) -> live.put(object, thing.content()));
        if (ring.statefulSet != null) {
            live.put(ManagedObject.STATEFUL_SET_LABELS, ring.statefulSet.labels);
        }
        return live;
    }

    static Map<String, Object> render(ManagedObject object, RingObjects wanted) {
        var spec = wanted.spec();
        ClusterRef ref = spec.ref();
        return switch (object) {
            case BUDGET -> Map.of("ring", ref.toString(), "minAvailable", wanted.minAvailable());
            case NETWORK_POLICY ->
                Map.of(
                        "ring",
                        ref.toString(),
                        "clients",
                        spec.network().clients().orElse(Map.of()).toString());
            case STATEFUL_SET_LABELS -> Map.copyOf(Labels.of(ref));
            case CONNECTION ->
                Map.of(
                        "ring", ref.toString(),
                        "voters", wanted.voters(),
                        "scheme", ConfigMapManifests.binding(wanted).get("uri"));
            case PEER_SERVICE, CLIENT_SERVICE -> Map.of("ring", ref.toString());
        };
    }

    /// A StatefulSet that is not there has no labels to mend.
    static List<ObjectDrift> drift(Map<ManagedObject, Map<String, Object>> live, RingObjects wanted) {
        var drift = new ArrayList<ObjectDrift>();
        for (var object : ManagedObject.values()) {
            var found = live.get(object);
            if (found == null && object != ManagedObject.STATEFUL_SET_LABELS) {
                drift.add(new ObjectDrift(object, List.of()));
            } else if (found != null) {
                var pointers = render(object, wanted).entrySet().stream()
                        .filter(field -> !field.getValue().equals(found.get(field.getKey())))
                        .map(field -> "/" + field.getKey().replace("~", "~0").replace("/", "~1"))
                        .toList();
                if (!pointers.isEmpty()) {
                    drift.add(new ObjectDrift(object, pointers));
                }
            }
        }
        return List.copyOf(drift);
    }

    static String templateDigest(RingObjects wanted) {
        var spec = wanted.spec();
        var applied = wanted.applied();
        String image = applied.image().orElseGet(() -> spec.server().imageOf(applied.version()));
        return "annotations="
                + Integer.toHexString(Objects.hash(applied.version(), applied.options()))
                + (applied.transport().secured()
                        ? "-" + applied.transport().describe().replace(" ", "")
                        : "")
                + (applied.trusted().equals(Authorities.FIRST)
                        ? ""
                        : "-" + applied.trusted().describe().replace(" ", ""))
                + (applied.features().isEmpty()
                        ? ""
                        : "-" + applied.features().toString().replace(" ", ""))
                + " container.image=" + Integer.toHexString(image.hashCode())
                + " container.resources="
                + Integer.toHexString(spec.podTemplate().hashCode());
    }

    static boolean unsafeToLeave(Optional<MemberConfig> config) {
        return config.filter(c -> !c.sealed()).isPresent();
    }
}
