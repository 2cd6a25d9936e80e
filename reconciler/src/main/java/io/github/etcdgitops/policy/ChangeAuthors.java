package io.github.etcdgitops.policy;

import io.github.etcdgitops.operation.AdoptCluster;
import io.github.etcdgitops.operation.BackOutRoll;
import io.github.etcdgitops.operation.BootstrapCluster;
import io.github.etcdgitops.operation.Deletion;
import io.github.etcdgitops.operation.DrillBackup;
import io.github.etcdgitops.operation.FreeSpace;
import io.github.etcdgitops.operation.GrowStorage;
import io.github.etcdgitops.operation.InspectVolume;
import io.github.etcdgitops.operation.MaintainMember;
import io.github.etcdgitops.operation.MigrateTls;
import io.github.etcdgitops.operation.NoteMachine;
import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.operation.PruneBackups;
import io.github.etcdgitops.operation.RecoverQuorum;
import io.github.etcdgitops.operation.ReleasePod;
import io.github.etcdgitops.operation.RepairObjects;
import io.github.etcdgitops.operation.ReplaceMember;
import io.github.etcdgitops.operation.ResetVolume;
import io.github.etcdgitops.operation.RestartMember;
import io.github.etcdgitops.operation.RestoreCluster;
import io.github.etcdgitops.operation.RestoreInPlace;
import io.github.etcdgitops.operation.ReturnCluster;
import io.github.etcdgitops.operation.RollMembers;
import io.github.etcdgitops.operation.RotateAuthority;
import io.github.etcdgitops.operation.RotateCertificates;
import io.github.etcdgitops.operation.ScaleIn;
import io.github.etcdgitops.operation.ScaleOut;
import io.github.etcdgitops.operation.SettleAdoption;
import io.github.etcdgitops.operation.TakeBackup;
import io.github.etcdgitops.operation.UpgradeVersion;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Authorship;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.Writers;
import io.github.etcdgitops.state.EtcdId;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Who wrote what asks for an operation, and who gave an approval. What mends a ring, or is due by itself, nobody has
/// asked for.
public record ChangeAuthors(
        SortedMap<ClusterRef, EtcdClusterSpec> rings,
        List<Tombstone> tombstones,
        SortedMap<ClusterRef, RestoreRequest> restores,
        Authorship authorship) {
    static final ChangeAuthors NONE = new ChangeAuthors(new TreeMap<>(), List.of(), new TreeMap<>(), Authorship.NONE);

    private static final String ALL = "";
    private static final String SIZE = "/spec/size";
    private static final String VERSION = "/spec/version";
    private static final String IMAGE = "/spec/image";
    private static final String OPTIONS = "/spec/etcd";
    private static final String FEATURES = "/spec/features";
    private static final String TEMPLATE = "/spec/podTemplate";
    private static final String STORAGE = "/spec/storage";
    private static final String TLS = "/spec/tls";
    private static final String ATTEMPT = "/spec/rollout/attempt";
    private static final String METADATA = TEMPLATE + "/metadata";
    private static final List<String> POINTERS = List.of(
            ALL,
            SIZE,
            VERSION,
            IMAGE,
            OPTIONS,
            FEATURES,
            STORAGE,
            TLS,
            ATTEMPT,
            TEMPLATE,
            METADATA,
            TEMPLATE + "/resources",
            TEMPLATE + "/affinity",
            TEMPLATE + "/tolerations",
            TEMPLATE + "/nodeSelector",
            TEMPLATE + "/topologySpreadConstraints");

    public ChangeAuthors {
        rings = Collections.unmodifiableSortedMap(new TreeMap<>(rings));
        tombstones = List.copyOf(tombstones);
        restores = Collections.unmodifiableSortedMap(new TreeMap<>(restores));
    }

    static ChangeAuthors of(DesiredState desired) {
        return new ChangeAuthors(
                desired.rings(),
                desired.decisions().tombstones(),
                desired.protection().restores(),
                desired.decisions().authorship());
    }

    /// Those that are known, and why there may be others.
    record Change(SortedSet<String> authors, Optional<String> doubt) {}

    /// Every passage that operations of a ring may be asked for in.
    public static List<Passage> passages(DesiredState desired, ClusterRef ref) {
        var all = of(desired);
        var repairs = all.ring(ref).map(ring -> ring.declaration().handling().repairs());
        var options = all.ring(ref).stream()
                .flatMap(ring -> ring.server().options().keySet().stream())
                .map(name -> OPTIONS + "/" + name)
                .toList();
        return Stream.of(
                        all.ring(ref, POINTERS),
                        all.ring(ref, options),
                        all.tombstones(ref),
                        all.restore(ref),
                        repairs.stream()
                                .flatMap(r -> r.resets().stream())
                                .map(Passage::of)
                                .toList(),
                        repairs.stream()
                                .flatMap(r -> r.replacements().stream())
                                .map(Passage::of)
                                .toList())
                .flatMap(List::stream)
                .toList();
    }

    Writers giver(Approval approval) {
        return authorship.of(Passage.of(approval));
    }

    Change of(Operation operation) {
        var authors = new TreeSet<String>();
        var doubt = Optional.<String>empty();
        for (var passage : passages(operation)) {
            switch (authorship.of(passage)) {
                case Writers.Known(var people) -> authors.addAll(people);
                case Writers.Unknown(String why) -> doubt = doubt.or(() -> Optional.of(why));
            }
        }
        return new Change(authors, doubt);
    }

    private List<Passage> passages(Operation operation) {
        var ref = operation.ref();
        return switch (operation) {
            case ScaleOut _, ScaleIn _ -> ring(ref, List.of(SIZE));
            case UpgradeVersion upgrade -> ring(ref, again(List.of(VERSION), upgrade.attempt()));
            case MigrateTls migration -> ring(ref, again(gated(List.of(TLS), migration), migration.attempt()));
            case RotateAuthority rotation -> ring(ref, again(List.of(TLS), rotation.attempt()));
            case RollMembers roll -> ring(ref, again(gated(rolled(roll), roll), roll.attempt()));
            case GrowStorage _ -> ring(ref, List.of(STORAGE));
            case Deletion _ -> tombstones(ref);
            case RestoreInPlace _, RestoreCluster _ -> restore(ref);
            case ResetVolume reset -> resets(reset);
            case ReplaceMember replacement -> replacements(replacement);
            case ReturnCluster back ->
                back.cause() == ReturnCluster.Cause.BY_HAND ? List.of() : ring(ref, List.of(ALL));
            case BootstrapCluster _, AdoptCluster _, RepairObjects _, PruneBackups _ -> ring(ref, List.of(ALL));
            case RecoverQuorum _,
                    InspectVolume _,
                    ReleasePod _,
                    RestartMember _,
                    NoteMachine _,
                    FreeSpace _,
                    MaintainMember _,
                    RotateCertificates _,
                    BackOutRoll _,
                    SettleAdoption _,
                    TakeBackup _,
                    DrillBackup _ -> List.of();
        };
    }

    private static List<String> again(List<String> pointers, int attempt) {
        return attempt == 0 ? pointers : and(pointers, ATTEMPT);
    }

    private static List<String> gated(List<String> pointers, Operation operation) {
        return operation.features().isEmpty() ? pointers : and(pointers, FEATURES);
    }

    private static List<String> and(List<String> pointers, String another) {
        return Stream.concat(pointers.stream(), Stream.of(another)).toList();
    }

    private List<String> rolled(RollMembers roll) {
        var former = roll.roll().former().options();
        var target = roll.roll().target().options();
        var names = new TreeSet<>(former.keySet());
        names.addAll(target.keySet());
        names.removeIf(name -> Objects.equals(former.get(name), target.get(name)));
        var given =
                ring(roll.ref()).map(ring -> ring.server().options().keySet()).orElse(Set.of());
        var pointers = new TreeSet<String>();
        names.forEach(name -> pointers.add(given.contains(name) ? OPTIONS + "/" + name : OPTIONS));
        roll.parts().forEach(part -> pointers.add(template(part)));
        // A digest of the members' configuration is among the annotations.
        if (pointers.size() > 1 || !roll.features().isEmpty()) {
            pointers.remove(METADATA);
        }
        return pointers.isEmpty() && roll.features().isEmpty() ? List.of(ALL) : List.copyOf(pointers);
    }

    private static String template(String part) {
        if (part.equals("container.image")) {
            return IMAGE;
        }
        if (part.equals("annotations") || part.equals("labels")) {
            return METADATA;
        }
        String pointer = TEMPLATE + "/" + part.substring(part.indexOf('.') + 1);
        return POINTERS.contains(pointer) ? pointer : TEMPLATE;
    }

    private Optional<EtcdClusterSpec> ring(ClusterRef ref) {
        return Optional.ofNullable(rings.get(ref));
    }

    private List<Passage> ring(ClusterRef ref, List<String> pointers) {
        return ring(ref).stream()
                .flatMap(ring -> pointers.stream().map(pointer -> Passage.of(ring, pointer)))
                .toList();
    }

    private List<Passage> tombstones(ClusterRef ref) {
        return tombstones.stream()
                .filter(tombstone -> tombstone.cluster().equals(ref))
                .map(Passage::of)
                .toList();
    }

    private List<Passage> restore(ClusterRef ref) {
        return Optional.ofNullable(restores.get(ref)).stream().map(Passage::of).toList();
    }

    private List<Passage> resets(ResetVolume operation) {
        var claims = operation.places().values().stream()
                .map(place -> place.claim().claimUid())
                .collect(Collectors.toSet());
        return ring(operation.ref()).stream()
                .flatMap(ring -> ring.declaration().handling().repairs().resets().stream())
                .filter(reset -> claims.contains(reset.claimUid()))
                .map(Passage::of)
                .toList();
    }

    private List<Passage> replacements(ReplaceMember operation) {
        return ring(operation.ref()).stream()
                .flatMap(ring -> ring.declaration().handling().repairs().replacements().stream())
                .filter(asked -> operation.formers().containsValue(EtcdId.parse(asked.memberId())))
                .map(Passage::of)
                .toList();
    }
}
