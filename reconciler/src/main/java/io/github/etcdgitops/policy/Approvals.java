package io.github.etcdgitops.policy;

import static java.util.stream.Collectors.joining;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
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

/// The approvals of an operation. The history shows who gave an approval; `approvedBy` counts only where it
/// does not. An author of the requested change is not another person, and neither does an approval count
/// that such an author has helped to write.
record Approvals(List<Approval> all, ChangeAuthors authors) {
    Approvals {
        all = List.copyOf(all);
    }

    /// The required approvals: from how many people, and whether authors count.
    record Wanted(int people, boolean authorMayApprove) {}

    /// A valid approval of an operation; `self` are those of its givers who wrote the change. The doubts
    /// say why the history does not show all givers, or all authors of the change. Where that must be
    /// `certain`, such an approval does not count.
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

        /// If any single person may approve, it does not matter who did.
        Optional<String> doubt(Wanted wanted) {
            boolean anybody = wanted.authorMayApprove() && wanted.people() == 1;
            return giverDoubt.filter(_ -> !anybody).or(() -> changeDoubt.filter(_ -> !wanted.authorMayApprove()));
        }
    }

    boolean given(Operation operation, Wanted wanted, Instant now) {
        return people(operation, wanted, now).size() >= wanted.people();
    }

    /// Why the history does not show whether it may start, although it does start.
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

    /// One text for each person, who may have given several.
    List<String> people(Operation operation, Wanted wanted, Instant now) {
        return groups(
                given(operation, now).stream().filter(g -> g.counts(wanted)).toList());
    }

    /// Approvals that exist and do not count, as text.
    Optional<String> ownWord(Operation operation, Wanted wanted, Instant now) {
        var own = given(operation, now).stream().filter(g -> !g.counts(wanted)).toList();
        return own.isEmpty()
                ? Optional.empty()
                : Optional.of(own.stream().map(g -> g.whyNot(wanted)).distinct().collect(joining("; ")));
    }

    /// Who approved it, and until when.
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
                        FindingCode.APPROVED,
                        operation.kind() + " " + operation.id() + " is approved by "
                                + String.join(", ", groups(counting)) + " until " + until));
    }

    /// Approvals that name the operation, whether they count or not.
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

    /// Approvals with a common giver count as one person's.
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
