package io.github.etcdgitops.policy;

import io.github.etcdgitops.operation.AdoptCluster;
import io.github.etcdgitops.operation.BackOutRoll;
import io.github.etcdgitops.operation.BootstrapCluster;
import io.github.etcdgitops.operation.DeleteAfterSnapshot;
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
import io.github.etcdgitops.operation.StartUnchecked;
import io.github.etcdgitops.operation.TakeBackup;
import io.github.etcdgitops.operation.UpgradeVersion;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Authorship;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.Writers;
import io.github.etcdgitops.state.EtcdId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Who wrote what asks for an operation, and who gave an approval. What mends a ring, or is due by itself,
/// nobody has asked for. Of what asks for it every field counts that the operation changes in the ring.
public record ChangeAuthors(
        SortedMap<ClusterRef, EtcdClusterSpec> rings,
        List<Tombstone> tombstones,
        Protection protection,
        Authorship authorship) {
    static final ChangeAuthors NONE = new ChangeAuthors(new TreeMap<>(), List.of(), Protection.NONE, Authorship.NONE);

    public ChangeAuthors {
        rings = Collections.unmodifiableSortedMap(new TreeMap<>(rings));
        tombstones = List.copyOf(tombstones);
    }

    static ChangeAuthors of(DesiredState desired) {
        return new ChangeAuthors(
                desired.rings(),
                desired.decisions().tombstones(),
                desired.protection(),
                desired.decisions().authorship());
    }

    /// Those that are known, and why there may be others. Not `asked` where nobody has looked.
    record Change(SortedSet<String> authors, Optional<String> doubt, boolean asked) {}

    /// Every passage that operations of a ring may be asked for in.
    public static List<Passage> passages(DesiredState desired, ClusterRef ref) {
        var all = of(desired);
        var repairs = all.fields(ref)
                .map(fields -> fields.ring().declaration().handling().repairs());
        return Stream.of(
                        all.everything(ref),
                        all.tombstones(ref),
                        all.restore(ref),
                        all.protection.policies().stream()
                                .flatMap(policy -> Passage.of(policy).stream())
                                .toList(),
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
        boolean asked = false;
        for (var passage : passages(operation)) {
            switch (authorship.of(passage)) {
                case Writers.Known(var people) -> authors.addAll(people);
                case Writers.Unknown(String why, boolean looked) -> {
                    doubt = doubt.or(() -> Optional.of(why));
                    asked |= looked;
                }
            }
        }
        return new Change(authors, doubt, asked);
    }

    private List<Passage> passages(Operation operation) {
        var ref = operation.ref();
        return switch (operation) {
            case ScaleOut _, ScaleIn _ -> ring(ref, RingFields.SIZE);
            case UpgradeVersion upgrade -> upgraded(upgrade);
            case MigrateTls migration ->
                join(ring(ref, RingFields.TLS), join(gates(migration), again(ref, migration.attempt())));
            case RotateAuthority rotation -> join(ring(ref, RingFields.TLS), again(ref, rotation.attempt()));
            case RotateCertificates _ -> ring(ref, RingFields.TLS);
            case RollMembers roll ->
                join(fields(ref).map(fields -> fields.rolled(roll)).orElse(List.of()), again(ref, roll.attempt()));
            case GrowStorage _ -> ring(ref, RingFields.STORAGE);
            case DeleteAfterSnapshot deletion ->
                join(tombstones(ref), policy(deletion.last().order().policy()));
            case Deletion _ -> tombstones(ref);
            case RestoreInPlace _ -> restore(ref);
            case RestoreCluster _ -> join(restore(ref), everything(ref));
            case ResetVolume reset -> resets(reset);
            case ReplaceMember replacement -> replacements(replacement);
            case BootstrapCluster _, AdoptCluster _, RepairObjects _, ReturnCluster _ -> everything(ref);
            case PruneBackups prune ->
                join(ring(ref, RingFields.BACKUP), policy(prune.order().policy()));
            case TakeBackup backup -> policy(backup.order().policy());
            case DrillBackup drill -> policy(drill.order().policy());
            case MaintainMember _ -> ring(ref, RingFields.MAINTENANCE);
            case RecoverQuorum _,
                    InspectVolume _,
                    ReleasePod _,
                    RestartMember _,
                    StartUnchecked _,
                    NoteMachine _,
                    FreeSpace _,
                    BackOutRoll _,
                    SettleAdoption _ -> List.of();
        };
    }

    private List<Passage> upgraded(UpgradeVersion upgrade) {
        var image = fields(upgrade.ref()).map(fields -> fields.image(upgrade.roll()));
        return join(
                ring(upgrade.ref(), RingFields.VERSION),
                join(image.orElse(List.of()), again(upgrade.ref(), upgrade.attempt())));
    }

    private static List<Passage> join(List<Passage> some, List<Passage> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private List<Passage> again(ClusterRef ref, int attempt) {
        return attempt == 0 ? List.of() : ring(ref, RingFields.ATTEMPT);
    }

    private List<Passage> gates(Operation operation) {
        return fields(operation.ref()).stream()
                .flatMap(fields -> operation.features().stream().flatMap(change -> fields.gate(change.gate()).stream()))
                .toList();
    }

    private Optional<RingFields> fields(ClusterRef ref) {
        return Optional.ofNullable(rings.get(ref)).map(RingFields::new);
    }

    private List<Passage> everything(ClusterRef ref) {
        return fields(ref).map(RingFields::everything).orElse(List.of());
    }

    private List<Passage> ring(ClusterRef ref, List<String> pointers) {
        return fields(ref).map(fields -> fields.of(pointers)).orElse(List.of());
    }

    private List<Passage> policy(String name) {
        return protection.policies().stream()
                .filter(policy -> policy.name().equals(name))
                .flatMap(policy -> Passage.of(policy).stream())
                .toList();
    }

    private List<Passage> tombstones(ClusterRef ref) {
        return tombstones.stream()
                .filter(tombstone -> tombstone.cluster().equals(ref))
                .map(Passage::of)
                .toList();
    }

    /// With the policy that says where the backup is.
    private List<Passage> restore(ClusterRef ref) {
        return Optional.ofNullable(protection.restores().get(ref)).stream()
                .flatMap(request -> Stream.concat(
                        Stream.of(Passage.of(request)),
                        request.from() instanceof RestoreRequest.From.Kept kept
                                ? policy(kept.policy()).stream()
                                : Stream.empty()))
                .toList();
    }

    private List<Passage> resets(ResetVolume operation) {
        var claims = operation.places().values().stream()
                .map(place -> place.claim().claimUid())
                .collect(Collectors.toSet());
        return fields(operation.ref()).stream()
                .flatMap(fields -> fields.ring().declaration().handling().repairs().resets().stream())
                .filter(reset -> claims.contains(reset.claimUid()))
                .map(Passage::of)
                .toList();
    }

    private List<Passage> replacements(ReplaceMember operation) {
        return fields(operation.ref()).stream()
                .flatMap(fields -> fields.ring().declaration().handling().repairs().replacements().stream())
                .filter(asked -> operation.formers().containsValue(EtcdId.parse(asked.memberId())))
                .map(Passage::of)
                .toList();
    }
}
