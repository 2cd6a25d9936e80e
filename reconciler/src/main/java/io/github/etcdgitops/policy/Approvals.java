package io.github.etcdgitops.policy;

import static java.util.stream.Collectors.joining;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Writers;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Whose word there is for an operation. Who gave an approval is told by history, and `approvedBy` only where
/// history does not tell. Whoever wrote what asks for the operation is not somebody else; neither is an
/// approval that such a one has had a hand in.
record Approvals(List<Approval> all, ChangeAuthors authors) {
    Approvals {
        all = List.copyOf(all);
    }

    /// Whose word is asked for: of so many people, and of whom.
    record Wanted(int people, boolean authorMayApprove) {}

    /// An approval that is good for an operation; `self` are those of its givers who wrote the change. The
    /// doubts are why history does not tell all of the givers, and all who wrote the change. Where that must be
    /// `certain`, it does not count then.
    private record Given(
            Approval approval,
            SortedSet<String> people,
            SortedSet<String> self,
            Optional<String> giverDoubt,
            Optional<String> changeDoubt,
            boolean certain) {
        boolean counts(Wanted wanted) {
            return (wanted.authorMayApprove() || self.isEmpty())
                    && !(certain && doubt(wanted).isPresent());
        }

        String whyNot(Wanted wanted) {
            boolean own = !wanted.authorMayApprove() && !self.isEmpty();
            return "the approval " + approval.name() + " does not count, as "
                    + (own
                            ? String.join(" and ", self) + " wrote the change"
                                    + (self.equals(people)
                                            ? ""
                                            : " and took part in the approval that " + others() + " gave")
                            : doubt(wanted).orElse("")
                                    + ", so an author of the change may have given it. Fetch the whole history (git"
                                    + " fetch --unshallow)");
        }

        private String others() {
            return people.stream().filter(p -> !self.contains(p)).collect(joining(" and "));
        }

        /// Where anybody may give the only one it does not matter who did.
        Optional<String> doubt(Wanted wanted) {
            boolean anybody = wanted.authorMayApprove() && wanted.people() == 1;
            return giverDoubt.filter(_ -> !anybody).or(() -> changeDoubt.filter(_ -> !wanted.authorMayApprove()));
        }
    }

    boolean given(Operation operation, Wanted wanted, Instant now) {
        return people(operation, wanted, now).size() >= wanted.people();
    }

    /// Why history does not tell whether it may begin, where it begins all the same.
    Optional<String> doubt(Operation operation, Wanted wanted, Instant now) {
        var certain = given(operation, now).stream()
                .filter(g -> g.counts(wanted) && g.doubt(wanted).isEmpty())
                .toList();
        return groups(certain).size() >= wanted.people()
                ? Optional.empty()
                : given(operation, now).stream()
                        .filter(g -> g.counts(wanted))
                        .flatMap(g -> g.doubt(wanted).stream())
                        .findFirst();
    }

    /// One text for each, who may have given several.
    List<String> people(Operation operation, Wanted wanted, Instant now) {
        return groups(
                given(operation, now).stream().filter(g -> g.counts(wanted)).toList());
    }

    /// What is there and does not count, in words.
    Optional<String> ownWord(Operation operation, Wanted wanted, Instant now) {
        var own = given(operation, now).stream().filter(g -> !g.counts(wanted)).toList();
        return own.isEmpty()
                ? Optional.empty()
                : Optional.of(own.stream().map(g -> g.whyNot(wanted)).distinct().collect(joining("; ")));
    }

    /// Who has let it begin, and until when that holds.
    Optional<Finding> told(Operation operation, List<Wanted> wanted, Instant now) {
        if (!wanted.stream().allMatch(w -> given(operation, w, now))) {
            return Optional.empty();
        }
        var counting = given(operation, now).stream()
                .filter(g -> wanted.stream().allMatch(g::counts))
                .toList();
        return counting.stream()
                .map(g -> g.approval().expires())
                .min(Comparator.naturalOrder())
                .map(until -> new Finding(
                        Finding.Level.NOTE,
                        "approved",
                        operation.kind() + " " + operation.id() + " is approved by "
                                + String.join(", ", groups(counting)) + " until " + until));
    }

    /// Those that name the operation, whether they count or not.
    List<Approval> naming(Operation operation) {
        return all.stream()
                .filter(a ->
                        a.cluster().equals(operation.ref()) && a.operations().contains(operation.id()))
                .toList();
    }

    private List<Given> given(Operation operation, Instant now) {
        var change = authors.of(operation);
        return naming(operation).stream()
                .filter(a -> now.isBefore(a.expires()) && means(a, operation))
                .map(a -> given(a, change, operation.risk() == Risk.DESTRUCTIVE))
                .toList();
    }

    private Given given(Approval approval, ChangeAuthors.Change change, boolean destructive) {
        return switch (authors.giver(approval)) {
            case Writers.Known(var people) -> {
                var self = new TreeSet<>(people);
                self.retainAll(change.authors());
                yield new Given(
                        approval, people, self, Optional.empty(), change.doubt(), destructive && change.asked());
            }
            case Writers.Unknown(String why, boolean asked) ->
                new Given(
                        approval,
                        new TreeSet<>(Set.of(approval.approvedBy().strip().toLowerCase(Locale.ROOT))),
                        new TreeSet<>(),
                        Optional.of(why),
                        change.doubt(),
                        destructive && asked);
        };
    }

    private static boolean means(Approval approval, Operation operation) {
        return operation.toBeNamed().isEmpty()
                || approval.clusterId().map(EtcdId::parse).equals(operation.toBeNamed());
    }

    private static List<String> groups(List<Given> given) {
        return distinct(given.stream().map(Given::people).toList());
    }

    /// Approvals with somebody in common are one person's.
    static List<String> distinct(List<SortedSet<String>> given) {
        var groups = new ArrayList<SortedSet<String>>();
        for (var one : given) {
            var joined = new TreeSet<>(one);
            for (var group : List.copyOf(groups)) {
                if (group.stream().anyMatch(joined::contains)) {
                    groups.remove(group);
                    joined.addAll(group);
                }
            }
            groups.add(joined);
        }
        return groups.stream()
                .map(group -> String.join(" and ", group))
                .sorted()
                .toList();
    }
}
