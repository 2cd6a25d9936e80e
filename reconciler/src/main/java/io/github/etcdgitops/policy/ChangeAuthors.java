package io.github.etcdgitops.policy;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Authorship;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.Writers;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Who wrote the request for an operation, and who gave an approval. Repairs, and operations that are due
/// by themselves, have no authors. Of a request, every field counts that the operation changes in the ring.
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

    /// The known authors, and why there may be others. Not `asked` where the history was not read.
    record Change(SortedSet<String> authors, Optional<String> doubt, boolean asked) {}

    /// Every passage that may ask for operations of a ring.
    public static List<Passage> passages(DesiredState desired, ClusterRef ref) {
        var all = of(desired);
        var repairs = all.fields(ref)
                .map(fields -> fields.ring().declaration().handling().repairs());
        return Stream.of(
                        all.everything(ref),
                        all.fields(ref).map(RingFields::accounts).orElse(List.of()),
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
        var asking = operation.requestedBy().stream()
                .flatMap(request -> passages(operation.ref(), request).stream())
                .toList();
        for (var passage : asking) {
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

    private List<Passage> passages(ClusterRef ref, RequestedBy request) {
        return switch (request) {
            case RequestedBy.Document document ->
                switch (document) {
                    case RING -> everything(ref);
                    case TOMBSTONES -> tombstones(ref);
                    case RESTORE -> restore(ref);
                };
            case RequestedBy.Part part ->
                fields(ref).map(fields -> fields.of(part)).orElse(List.of());
            case RequestedBy.Image image ->
                fields(ref).map(fields -> fields.image(image)).orElse(List.of());
            case RequestedBy.Configuration change ->
                fields(ref).map(fields -> fields.rolled(change)).orElse(List.of());
            case RequestedBy.Gates(var changes) ->
                fields(ref).stream()
                        .flatMap(fields -> changes.stream().flatMap(change -> fields.gate(change.gate()).stream()))
                        .toList();
            case RequestedBy.Policy(String name) -> policy(name);
            case RequestedBy.Resets(var claims) -> resets(ref, claims);
            case RequestedBy.Accounts accounts ->
                fields(ref).map(fields -> fields.accounts(accounts)).orElse(List.of());
            case RequestedBy.Replacements(var members) -> replacements(ref, members);
        };
    }

    private Optional<RingFields> fields(ClusterRef ref) {
        return Optional.ofNullable(rings.get(ref)).map(RingFields::new);
    }

    private List<Passage> everything(ClusterRef ref) {
        return fields(ref).map(RingFields::everything).orElse(List.of());
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

    /// With the policy that names the location of the backup.
    private List<Passage> restore(ClusterRef ref) {
        return Optional.ofNullable(protection.restores().get(ref)).stream()
                .flatMap(request -> Stream.concat(
                        Stream.of(Passage.of(request)),
                        request.from() instanceof RestoreRequest.From.Kept kept
                                ? policy(kept.policy()).stream()
                                : Stream.empty()))
                .toList();
    }

    private List<Passage> resets(ClusterRef ref, Set<String> claims) {
        return fields(ref).stream()
                .flatMap(fields -> fields.ring().declaration().handling().repairs().resets().stream())
                .filter(reset -> claims.contains(reset.claimUid()))
                .map(Passage::of)
                .toList();
    }

    private List<Passage> replacements(ClusterRef ref, Set<EtcdId> members) {
        return fields(ref).stream()
                .flatMap(fields -> fields.ring().declaration().handling().repairs().replacements().stream())
                .filter(asked -> members.contains(EtcdId.parse(asked.memberId())))
                .map(Passage::of)
                .toList();
    }
}
