package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A ring's objects as the API server shows them. Maps are by ordinal, as a number. `Known(empty)` from a
/// read by name proves absence; from a LIST it does not (see `confirmed`).
public record KubeState(
        Observed<Optional<StatefulSetState>> statefulSet,
        Observed<Optional<JournalState>> journal,
        Observed<SortedMap<Integer, PodState>> pods,
        Observed<SortedMap<Integer, ClaimState>> claims,
        Observed<Optional<BudgetState>> budget,
        Observed<SortedMap<Integer, MemberConfig>> configs,
        Objects objects) {
    /// `confirmed` is set when everything was read by name and not from a cache: only then may an action
    /// depend on absence. `live` holds the objects as plain JSON trees, to compare with the wanted ones.
    /// `foreign` names objects with a name of the ring and without its labels: they are not ours, and
    /// nothing here changes them.
    public record Objects(
            boolean confirmed,
            Observed<Map<ManagedObject, Map<String, Object>>> live,
            SortedMap<ManagedObject, String> foreign) {
        public Objects {
            foreign = Collections.unmodifiableSortedMap(new TreeMap<>(foreign));
        }

        /// All objects are ours.
        public Objects(boolean confirmed, Observed<Map<ManagedObject, Map<String, Object>>> live) {
            this(confirmed, live, new TreeMap<>());
        }
    }

    /// Where nothing could be read.
    public static KubeState unread(String reason) {
        return new KubeState(
                Observed.unknown(reason),
                Observed.unknown(reason),
                Observed.unknown(reason),
                Observed.unknown(reason),
                Observed.unknown(reason),
                Observed.unknown(reason),
                new Objects(false, Observed.unknown(reason)));
    }

    /// `resourceVersion` guards the next write.
    public record JournalState(Journal journal, String resourceVersion) {}

    public record StatefulSetState(
            String uid, String resourceVersion, Marks marks, int replicas, Rollout rollout, Template template) {
        public boolean ours() {
            return marks.ours();
        }

        public boolean terminating() {
            return marks.terminating();
        }

        public Optional<String> suspended() {
            return marks.suspended();
        }

        public String templateDigest() {
            return template.digest();
        }
    }

    /// `ours` is false for a StatefulSet that has the name and not our labels. `terminating` where it is
    /// being deleted. `suspended` is the text of the annotation `etcdgitops.dev/suspend`.
    public record Marks(boolean ours, boolean terminating, Optional<String> suspended) {}

    /// The template of new members: `digest` is of the pod template, `storage` what a new claim for them
    /// requests, if one is created.
    public record Template(String digest, Optional<EtcdClusterSpec.Storage> storage) {}

    /// `settled` means that the controller has seen the latest generation. Revisions are equal when no roll
    /// is under way.
    public record Rollout(int partition, String currentRevision, String updateRevision, boolean settled) {
        public boolean inProgress() {
            return !currentRevision.equals(updateRevision);
        }
    }

    /// `revision` names the pod template that it was created from. `serves` says whether the pod has the
    /// label by which the client Service selects it.
    public record PodState(String name, String uid, Optional<String> ip, String revision, boolean serves, Life life) {
        public boolean ready() {
            return life.ready();
        }

        public boolean terminating() {
            return life.terminating();
        }

        /// It must end, and its node is unreachable: nothing confirms that it has ended.
        public boolean stranded() {
            return life.terminating()
                    && life.whereabouts().host().flatMap(Host::silentSince).isPresent();
        }

        public int restarts() {
            return life.restarts();
        }
    }

    /// `restarts` counts the restarts of the container. `trouble` is what Kubernetes reports as blocking
    /// its start: an image that cannot be pulled, no node that accepts it.
    public record Life(
            boolean ready, boolean terminating, int restarts, Optional<String> trouble, Whereabouts whereabouts) {}

    /// `phase` is the pod's; `node` is its assigned node. `runs` is the kubelet's last report about its
    /// container: on an unreachable node it may be long out of date. `leaving` is the time by which a
    /// deleted pod must be gone. `host` has more about the node, only for a pod that is not healthy.
    public record Whereabouts(
            PodPhase phase, Optional<String> node, boolean runs, Optional<Instant> leaving, Optional<Host> host) {
        public Whereabouts(PodPhase phase, Optional<String> node, boolean runs) {
            this(phase, node, runs, Optional.empty(), Optional.empty());
        }
    }

    /// `ours` means that the claim has this ring's labels. `departure` marks the claim of a removed member.
    public record ClaimState(
            String name,
            String uid,
            ClaimPhase phase,
            boolean ours,
            boolean terminating,
            Optional<Departure> departure,
            VolumeState volume) {
        public boolean released() {
            return departure.isPresent();
        }

        /// Whether the removal date of the member is known.
        public boolean dated() {
            return departure.flatMap(Departure::at).isPresent();
        }

        /// False where the date is unknown.
        public boolean leftBefore(Instant moment) {
            return departure
                    .flatMap(Departure::at)
                    .filter(at -> !at.isAfter(moment))
                    .isPresent();
        }

        public boolean bound() {
            return phase == ClaimPhase.BOUND;
        }

        /// What it requests, not what it got.
        public EtcdClusterSpec.Storage storage() {
            return volume.asked();
        }

        /// Its volume is gone, with all its data.
        public boolean lost() {
            return phase == ClaimPhase.LOST;
        }
    }

    public KubeState withPods(Observed<SortedMap<Integer, PodState>> others) {
        return new KubeState(statefulSet, journal, others, claims, budget, configs, objects);
    }

    /// Empty also where it could not be read, as the three below: that does not prove absence.
    public Optional<StatefulSetState> knownSet() {
        return Observed.found(statefulSet);
    }

    public Optional<Journal> knownJournal() {
        return storedJournal().map(JournalState::journal);
    }

    public Optional<JournalState> storedJournal() {
        return Observed.found(journal);
    }

    public Optional<BudgetState> knownBudget() {
        return Observed.found(budget);
    }

    /// The name of the claim template, which is also the name of the volume. It differs from our name only
    /// in an adopted ring.
    public String claimTemplate() {
        return knownJournal()
                .flatMap(j -> j.past().adopted())
                .map(Journal.Adopted::claims)
                .orElse(ClusterRef.CLAIMS);
    }

    /// Whether the StatefulSet has one replica and the journal knows one member.
    public boolean isOfOne() {
        return knownSet().filter(s -> s.replicas() == 1).isPresent()
                && knownJournal().filter(j -> j.members().size() == 1).isPresent();
    }

    /// No StatefulSet, journal or claim exists: each was read by name.
    public boolean nothingThere() {
        return objects.confirmed()
                && Observed.absent(statefulSet)
                && Observed.absent(journal)
                && claims.optional().filter(Map::isEmpty).isPresent();
    }

    /// Empty also where pods could not be read.
    public Optional<PodState> pod(int ordinal) {
        return pods.optional().flatMap(all -> Optional.ofNullable(all.get(ordinal)));
    }

    /// Empty also where claims could not be read.
    public Optional<ClaimState> claim(int ordinal) {
        return claims.optional().flatMap(all -> Optional.ofNullable(all.get(ordinal)));
    }

    /// Empty also where configurations could not be read.
    public Optional<MemberConfig> config(int ordinal) {
        return configs.optional().flatMap(all -> Optional.ofNullable(all.get(ordinal)));
    }

    /// The pods were read, and there are none.
    public boolean podsGone() {
        return pods.optional().filter(Map::isEmpty).isPresent();
    }

    /// Whether the data of a restore is complete in the directory and on the claim that the journal names.
    /// The restore writes the sealed configuration of member 0 when the data is complete, and not before.
    public Optional<String> restoredInto() {
        return knownJournal()
                .flatMap(j -> Optional.ofNullable(j.members().get(0)))
                .filter(member -> config(0)
                        .filter(c -> c.equals(new MemberConfig.Sealed(member.incarnation())))
                        .isPresent())
                .filter(member -> claim(0).filter(
                                claim -> Optional.of(claim.uid()).equals(member.claimUid()))
                        .isPresent())
                .map(Journal.Member::incarnation);
    }

    /// Version and options of the running members; those of the spec for a ring that does not exist yet, or
    /// is not ours.
    public MemberSettings appliedOr(EtcdClusterSpec.Server wanted) {
        return knownJournal()
                .map(Journal::applied)
                .orElseGet(() -> foreign()
                        ? MemberSettings.adopting(wanted)
                        : MemberSettings.founding(wanted, wanted.version()));
    }

    /// Whether the StatefulSet is not ours.
    public boolean foreign() {
        return knownSet().filter(s -> !s.ours()).isPresent();
    }

    /// Whether the ring was adopted, and part of the former setup is still in the way.
    public boolean unsettled() {
        return knownJournal().filter(Journal::unsettled).isPresent();
    }

    /// Why parts of it could not be read, each reason once.
    public List<String> unknownParts() {
        return List.of(statefulSet, journal, pods, claims, budget, configs, objects.live()).stream()
                .flatMap(part -> part.unknownReason().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /// The CA of the ring's certificates, as PEM.
    public Optional<String> authority() {
        return knownJournal().flatMap(Journal::authority);
    }

    /// Whether every running member serves clients over TLS. During a change between plain and both, some
    /// do not; during one between both and mutual, all do.
    public boolean clientsSecured() {
        var known = knownJournal();
        return known.filter(j -> j.applied().transport().client().secured())
                .filter(j -> j.roll()
                        .filter(r -> !r.target().transport().client().secured())
                        .isEmpty())
                .isPresent();
    }

    public static <T> SortedMap<Integer, T> byOrdinal(Map<Integer, T> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}
