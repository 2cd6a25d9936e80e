package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.Excerpt;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.Moments;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.journal.JournalFile;
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.BudgetState;
import io.github.etcdgitops.state.Departure;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.KubeState.JournalState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.Observed;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Interprets JSON trees as a ring's state. Pure.
///
/// An object that has one of a ring's names and not its labels is not ours: what it says about the ring is
/// Unknown, never absent, so that nothing is created over it.
public final class StateMapper {
    private StateMapper() {}

    public static KubeState state(ClusterRef ref, RingParts parts) {
        var journal = journal(ref, parts.object(Part.JOURNAL));
        // During an adoption, pods get our labels one after the other.
        boolean adopting = Observed.found(journal)
                .filter(j -> j.journal().isUnderWay(Intent.Kind.ADOPT))
                .isPresent();
        String template = ClaimTemplates.nameOf(parts::object);
        return new KubeState(
                parts.object(Part.STATEFUL_SET).flatMap(found -> statefulSet(ref, found, template)),
                journal,
                parts.pods().flatMap(pods -> pods(ref, pods, parts.hosts(), adopting)),
                parts.claims().map(claims -> claims(ref, claims, parts.hosts())),
                parts.object(Part.BUDGET).flatMap(found -> budget(ref, found)),
                parts.object(Part.MEMBERS).flatMap(found -> configs(ref, found)),
                new KubeState.Objects(parts.confirmed(), live(parts), foreign(ref, parts)));
    }

    private static Observed<Optional<StatefulSetState>> statefulSet(
            ClusterRef ref, Optional<ObjectNode> found, String claims) {
        return found.flatMap(object -> Replicas.trouble(object))
                .<Observed<Optional<StatefulSetState>>>map(Observed::unknown)
                .orElseGet(() -> Observed.known(found.map(object -> statefulSet(ref, object, claims))));
    }

    private static StatefulSetState statefulSet(ClusterRef ref, JsonNode object, String claims) {
        JsonNode rolling = object.path("spec").path("updateStrategy").path("rollingUpdate");
        JsonNode status = object.path("status");
        return new StatefulSetState(
                Tree.uid(object),
                Tree.resourceVersion(object),
                new KubeState.Marks(
                        Tree.ours(ref, object), Tree.terminating(object), Tree.annotation(object, Labels.SUSPEND)),
                object.path("spec").path("replicas").asInt(1),
                new KubeState.Rollout(
                        rolling.path("partition").asInt(0),
                        status.path("currentRevision").asText(),
                        status.path("updateRevision").asText(),
                        Tree.settled(object)),
                new KubeState.Template(
                        Tree.annotation(object, Labels.TEMPLATE_DIGEST).orElse(""), claimTemplate(object, claims)));
    }

    private static Optional<EtcdClusterSpec.Storage> claimTemplate(JsonNode object, String claims) {
        for (JsonNode template : object.path("spec").path("volumeClaimTemplates")) {
            if (Tree.name(template).equals(claims)) {
                return Optional.of(VolumeStates.asked(template.path("spec")));
            }
        }
        return Optional.empty();
    }

    static Observed<Optional<JournalState>> journal(ClusterRef ref, Observed<Optional<ObjectNode>> part) {
        return part.flatMap(found -> journal(ref, found));
    }

    private static Observed<Optional<JournalState>> journal(ClusterRef ref, Optional<ObjectNode> found) {
        if (found.isEmpty()) {
            return Observed.known(Optional.empty());
        }
        ObjectNode object = found.get();
        if (!Tree.ours(ref, object)) {
            return foreign(object);
        }
        try {
            Journal journal =
                    JournalFile.read(object.path("data").path(JournalFile.KEY).asText());
            return Observed.known(Optional.of(new JournalState(journal, Tree.resourceVersion(object))));
        } catch (IllegalArgumentException e) {
            return Observed.unknown("the journal " + Tree.name(object) + " cannot be understood: "
                    + Excerpt.of(String.valueOf(e.getMessage())));
        }
    }

    private static Observed<SortedMap<Integer, PodState>> pods(
            ClusterRef ref, SortedMap<Integer, ObjectNode> found, Hosts hosts, boolean adopting) {
        var pods = new TreeMap<Integer, PodState>();
        for (Map.Entry<Integer, ObjectNode> entry : found.entrySet()) {
            if (!adopting && !Tree.ours(ref, entry.getValue())) {
                return foreign(entry.getValue());
            }
            pods.put(entry.getKey(), pod(entry.getValue(), hosts.ofPod(entry.getKey())));
        }
        return Observed.known(KubeState.byOrdinal(pods));
    }

    public static PodState pod(JsonNode object) {
        return pod(object, Optional.empty());
    }

    private static PodState pod(JsonNode object, Optional<Host> host) {
        String ip = object.path("status").path("podIP").asText();
        boolean ready = false;
        for (JsonNode condition : object.path("status").path("conditions")) {
            ready |= condition.path("type").asText().equals("Ready")
                    && condition.path("status").asText().equals("True");
        }
        return new PodState(
                Tree.name(object),
                Tree.uid(object),
                ip.isEmpty() ? Optional.empty() : Optional.of(ip),
                Tree.labels(object).getOrDefault(Labels.REVISION, ""),
                Labels.YES.equals(Tree.labels(object).get(Labels.CLIENTS)),
                PodLife.of(object, ready, host));
    }

    private static SortedMap<Integer, ClaimState> claims(
            ClusterRef ref, SortedMap<Integer, ObjectNode> found, Hosts hosts) {
        var claims = new TreeMap<Integer, ClaimState>();
        found.forEach((ordinal, object) -> claims.put(
                ordinal,
                new ClaimState(
                        Tree.name(object),
                        Tree.uid(object),
                        VolumeStates.phase(object),
                        Tree.ours(ref, object),
                        Tree.terminating(object),
                        departure(object),
                        VolumeStates.of(object, hosts.ofVolume(ordinal)))));
        return KubeState.byOrdinal(claims);
    }

    private static Optional<Departure> departure(JsonNode claim) {
        return Labels.YES.equals(Tree.labels(claim).get(Labels.RELEASED))
                ? Optional.of(
                        new Departure(Tree.annotation(claim, Labels.RELEASED_AT).flatMap(Moments::parse)))
                : Optional.empty();
    }

    /// A budget without a number of pods gives no protection that we can count on: 0.
    private static Observed<Optional<BudgetState>> budget(ClusterRef ref, Optional<ObjectNode> found) {
        if (found.isPresent() && !Tree.ours(ref, found.get())) {
            return foreign(found.get());
        }
        return Observed.known(found.map(object -> new BudgetState(
                object.path("spec").path("minAvailable").asInt(0),
                object.path("status").path("disruptionsAllowed").asInt(0),
                Tree.settled(object))));
    }

    private static Observed<SortedMap<Integer, MemberConfig>> configs(ClusterRef ref, Optional<ObjectNode> found) {
        var configs = new TreeMap<Integer, MemberConfig>();
        if (found.isPresent() && !Tree.ours(ref, found.get())) {
            return foreign(found.get());
        }
        Map<String, String> files =
                found.map(object -> Tree.strings(object.path("data"))).orElse(Map.of());
        for (Map.Entry<String, String> file : files.entrySet()) {
            Optional<Integer> ordinal = Ordinals.of(ref.name() + "-", file.getKey(), ".yaml");
            if (ordinal.isEmpty()) {
                continue;
            }
            Optional<MemberConfig> config = MemberConfigFile.read(file.getValue());
            if (config.isEmpty()) {
                return Observed.unknown(
                        "the file " + file.getKey() + " in " + Labels.members(ref) + " cannot be understood");
            }
            configs.put(ordinal.get(), config.get());
        }
        return Observed.known(KubeState.byOrdinal(configs));
    }

    private static Observed<Map<ManagedObject, Map<String, Object>>> live(RingParts parts) {
        var live = new EnumMap<ManagedObject, Map<String, Object>>(ManagedObject.class);
        for (ManagedObject object : ManagedObject.values()) {
            switch (parts.object(Part.of(object))) {
                case Observed.Known<Optional<ObjectNode>>(Optional<ObjectNode> found) ->
                    found.ifPresent(tree -> live.put(object, compared(object, tree)));
                case Observed.Unknown<Optional<ObjectNode>>(String reason, var _) -> {
                    return Observed.unknown(reason);
                }
            }
        }
        return Observed.known(java.util.Collections.unmodifiableMap(live));
    }

    private static SortedMap<ManagedObject, String> foreign(ClusterRef ref, RingParts parts) {
        var foreign = new TreeMap<ManagedObject, String>();
        for (ManagedObject object : ManagedObject.values()) {
            Observed.found(parts.object(Part.of(object)))
                    .filter(tree -> object != ManagedObject.STATEFUL_SET_LABELS && !Tree.ours(ref, tree))
                    .ifPresent(tree -> foreign.put(object, tree.path("kind").asText("object") + " " + Tree.name(tree)));
        }
        return foreign;
    }

    /// What is compared with the documents.
    private static Map<String, Object> compared(ManagedObject object, ObjectNode tree) {
        return Tree.plain(
                tree,
                object == ManagedObject.STATEFUL_SET_LABELS ? Set.of("status", "spec") : Set.of("status"),
                Map.of("metadata", Set.of("managedFields")));
    }

    private static <T> Observed<T> foreign(JsonNode object) {
        return Observed.unknown(
                object.path("kind").asText("object") + " " + Tree.name(object) + " " + ForeignObjectReads.WORDS);
    }
}
