package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.VolumeState;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// The volumes that the spec asks for, compared with the observed ones. It checks the claims of the members
/// and of the members that the spec asks for. A claim that an earlier member left grows before it is used
/// again; otherwise it stays as it is.
///
/// `claims` must grow, or are still growing. For `restarts`, the file system grows only when the pod
/// restarts. `template` is set when the StatefulSet would create claims of another size. With `refusals`,
/// none of this is done.
public record VolumeGrowth(
        List<Integer> claims, List<Integer> restarts, boolean template, List<VolumeGrowth.Refusal> refusals) {
    private static final String AT = "/spec/storage/size: ";
    private static final VolumeGrowth NOTHING = new VolumeGrowth(List.of(), List.of(), false, List.of());

    /// `code` and `message` are those of a finding; the message says what to do instead.
    public record Refusal(FindingCode code, String message) {}

    public VolumeGrowth {
        claims = List.copyOf(claims);
        restarts = List.copyOf(restarts);
        refusals = List.copyOf(refusals);
    }

    public boolean wanted() {
        return !claims.isEmpty() || !restarts.isEmpty() || template;
    }

    /// Volumes and StatefulSet match the spec, or can be changed to match it.
    public boolean feasible() {
        return refusals.isEmpty();
    }

    /// The storage classes that decide whether volumes can grow.
    public static Set<String> classes(EtcdClusterSpec spec, KubeState kube) {
        var names = new TreeSet<String>();
        if (!asSpec(spec, kube)) {
            Look.of(spec, kube, new TreeMap<>())
                    .smaller()
                    .forEach((_, claim) -> claim.storage().storageClassName().ifPresent(names::add));
        }
        classOfNewClaims(spec, kube).ifPresent(names::add);
        return names;
    }

    /// The class of claims that are not created or bound yet. Empty where there are none, or where they use
    /// the default class.
    public static Optional<String> classOfNewClaims(EtcdClusterSpec spec, KubeState kube) {
        boolean bound = kube.claims()
                .map(claims -> IntStream.range(0, spec.size())
                        .allMatch(o -> Optional.ofNullable(claims.get(o))
                                .filter(ClaimState::bound)
                                .isPresent()))
                .optional()
                .orElse(true);
        return bound
                ? Optional.empty()
                : kube.knownSet()
                        .flatMap(set -> set.template().storage())
                        .orElseGet(spec::storage)
                        .storageClassName();
    }

    /// Whether every member's claim currently requests what the spec says.
    public static boolean sized(EtcdClusterSpec spec, KubeState kube) {
        if (asSpec(spec, kube)) {
            return true;
        }
        var look = Look.of(spec, kube, new TreeMap<>());
        return look.inScope().headMap(look.members()).values().stream()
                .allMatch(claim -> claim.volume().asksAgainst(look.size()) == 0);
    }

    public static VolumeGrowth of(
            EtcdClusterSpec spec, KubeState kube, SortedMap<String, Observed<Expansion>> classes) {
        return asSpec(spec, kube) ? NOTHING : Look.of(spec, kube, classes).growth();
    }

    /// Every claim has exactly what the spec says, as text: so it is at almost every reading, and readings are
    /// frequent. Other notations of the same size are left to [Look].
    private static boolean asSpec(EtcdClusterSpec spec, KubeState kube) {
        var wanted = spec.storage();
        return kube.knownSet()
                        .flatMap(set -> set.template().storage())
                        .filter(template -> !template.size().equals(wanted.size()))
                        .isEmpty()
                && kube.claims().optional().orElseGet(TreeMap::new).values().stream()
                        .allMatch(claim -> matches(claim.volume(), wanted));
    }

    private static boolean matches(VolumeState volume, EtcdClusterSpec.Storage wanted) {
        return volume.asked().size().equals(wanted.size())
                && volume.capacity().filter(wanted.size()::equals).isPresent()
                && (wanted.storageClassName().isEmpty()
                        || volume.asked().storageClassName().equals(wanted.storageClassName()));
    }

    /// `members` is how many there are. `inScope` are the claims of current members, or of members to come.
    private record Look(
            EtcdClusterSpec spec,
            SortedMap<String, Observed<Expansion>> classes,
            Optional<Quantity> template,
            Quantity size,
            int members,
            SortedMap<Integer, ClaimState> inScope) {
        static Look of(EtcdClusterSpec spec, KubeState kube, SortedMap<String, Observed<Expansion>> classes) {
            int members = members(kube);
            return new Look(
                    spec,
                    classes,
                    kube.knownSet()
                            .flatMap(set -> set.template().storage())
                            .flatMap(storage -> Quantity.parse(storage.size())),
                    Quantity.parse(spec.storage().size()).orElseThrow(),
                    members,
                    inScope(kube, members, spec.size()));
        }

        VolumeGrowth growth() {
            var refusals = new ArrayList<Refusal>();
            larger().ifPresent(refusals::add);
            otherClass().ifPresent(refusals::add);
            var smaller = smaller();
            if (refusals.isEmpty()) {
                smaller.values().stream()
                        .flatMap(claim -> cannotGrow(claim).stream())
                        .findFirst()
                        .ifPresent(refusals::add);
            }
            var unfinished = unfinished();
            boolean template = otherTemplate();
            boolean wanted = !smaller.isEmpty()
                    || template
                    || unfinished.values().stream().anyMatch(c -> c.volume().growing());
            if (!wanted) {
                return new VolumeGrowth(List.of(), List.of(), false, refusals);
            }
            var restarts = unfinished.entrySet().stream()
                    .filter(c -> c.getKey() < members && c.getValue().volume().awaitsMount())
                    .map(Map.Entry::getKey)
                    .toList();
            var claims = new TreeSet<>(smaller.keySet());
            claims.addAll(unfinished.keySet());
            restarts.forEach(claims::remove);
            return new VolumeGrowth(List.copyOf(claims.reversed()), restarts.reversed(), template, refusals);
        }

        /// For members that were removed by hand, no pod may be left.
        private static int members(KubeState kube) {
            int known = kube.knownJournal()
                    .map(j -> j.members())
                    .filter(members -> !members.isEmpty())
                    .map(members -> members.lastKey() + 1)
                    .orElse(0);
            return kube.knownSet().map(set -> Math.min(known, set.replicas())).orElse(known);
        }

        /// A claim whose volume is lost belongs to no member until it is deleted.
        private static SortedMap<Integer, ClaimState> inScope(KubeState kube, int members, int wanted) {
            var claims = new TreeMap<>(kube.claims().optional().orElseGet(TreeMap::new));
            claims.entrySet()
                    .removeIf(c -> c.getKey() >= Math.max(members, wanted)
                            || (c.getKey() >= members && c.getValue().lost()));
            return claims;
        }

        SortedMap<Integer, ClaimState> smaller() {
            var smaller = new TreeMap<>(inScope);
            smaller.values().removeIf(claim -> claim.volume().asksAgainst(size) >= 0);
            return smaller;
        }

        /// Claims that request enough and have not received it yet. For a claim without a pod only the file
        /// system may be missing: it grows when a pod mounts it.
        private SortedMap<Integer, ClaimState> unfinished() {
            var unfinished = new TreeMap<>(inScope);
            unfinished
                    .entrySet()
                    .removeIf(c -> c.getValue().volume().asksAgainst(size) != 0
                            || !c.getValue().bound()
                            || c.getValue().volume().has(size)
                            || (c.getKey() >= members && c.getValue().volume().awaitsMount()));
            return unfinished;
        }

        private boolean otherTemplate() {
            return template.filter(own -> own.compareTo(size) != 0).isPresent();
        }

        private Optional<Refusal> larger() {
            return inScope.values().stream()
                    .filter(claim -> !claim.released() && claim.volume().asksAgainst(size) > 0)
                    .map(claim -> claim.storage().size())
                    .findFirst()
                    .map(has -> new Refusal(
                            FindingCode.STORAGE_SHRINKS,
                            AT + has + " → " + spec.storage().size() + ": a volume never shrinks. Set it to " + has
                                    + " again; or create a new ring with smaller volumes from a backup of this one"));
        }

        /// A spec without a class accepts any class that the volumes have.
        private Optional<Refusal> otherClass() {
            var wanted = spec.storage().storageClassName();
            return inScope.values().stream()
                    .filter(claim -> !claim.released())
                    .flatMap(claim -> claim.storage().storageClassName().stream())
                    .filter(name -> wanted.filter(w -> !w.equals(name)).isPresent())
                    .findFirst()
                    .map(name -> new Refusal(
                            FindingCode.STORAGE_CLASS_CHANGES,
                            "/spec/storage/storageClassName: " + name + " → " + wanted.orElse("")
                                    + ": a volume cannot change its storage class. Set it to " + name
                                    + " again; or create a new ring in the other class from a backup of this one"));
        }

        private Optional<Refusal> cannotGrow(ClaimState claim) {
            String at = AT + claim.storage().size() + " → " + spec.storage().size() + ": ";
            if (!claim.ours()) {
                return unknown(at + "the claim " + claim.name() + " does not have the labels of etcd-gitops. Give it"
                        + " the labels that the ring's other claims have");
            }
            if (!claim.bound() || claim.terminating()) {
                return unknown(at + "the claim " + claim.name() + " is "
                        + (claim.terminating() ? "being deleted" : claim.phase().wire())
                        + ", and only one that is bound can grow. Look at it: kubectl -n "
                        + spec.ref().namespace() + " describe pvc " + claim.name());
            }
            return claim.storage()
                    .storageClassName()
                    .map(name -> ofClass(at, name))
                    .orElseGet(() -> unknown(at + "the claim " + claim.name() + " has no storage class, so nothing"
                            + " makes its volume larger. Set it to "
                            + claim.storage().size()
                            + " again; or create a new ring with larger volumes from a backup of this one"));
        }

        private Optional<Refusal> ofClass(String at, String name) {
            var known = classes.getOrDefault(name, Observed.unknown("it was not read"));
            return switch (known) {
                case Observed.Unknown<Expansion>(String reason, var _) ->
                    unknown(at + "the storage class " + name + " could not be read: " + reason
                            + ". The next run looks again");
                case Observed.Known<Expansion>(Expansion expansion) ->
                    switch (expansion) {
                        case ALLOWED, NOT_FOR_US_TO_READ -> Optional.empty();
                        case NO_SUCH_CLASS ->
                            refused(at + "the storage class " + name + " no longer exists. Create it again");
                        case NOT_ALLOWED ->
                            refused(at + "the storage class " + name + " does not allow its volumes to grow. If"
                                    + " their driver supports it, allow it: kubectl patch storageclass " + name
                                    + " -p '{\"allowVolumeExpansion\": true}'");
                    };
            };
        }

        private static Optional<Refusal> unknown(String message) {
            return Optional.of(new Refusal(FindingCode.STORAGE_UNKNOWN, message));
        }

        private Optional<Refusal> refused(String message) {
            return Optional.of(new Refusal(
                    FindingCode.STORAGE_CANNOT_GROW,
                    message + ". Otherwise set the size back; or create a new ring with larger volumes from a backup of"
                            + " this one"));
        }
    }
}
