package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.MemberFacts;
import io.github.etcdgitops.doctor.fact.MemberFacts.Answer;
import io.github.etcdgitops.doctor.fact.MemberFacts.Member;
import io.github.etcdgitops.doctor.fact.MemberFacts.Ring;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// Judges the members: one line for all that answer, one for each ring with problems.
final class MemberChecks {
    private static final List<String> REMEDY = List.of(
            "look at the pods and their logs; `etcd-gitops status` shows the rings",
            "from outside of the pod network: --member-access port-forward; inside of it, NetworkPolicies may stand"
                    + " between");

    private MemberChecks() {}

    static List<Check> of(Fact<MemberFacts> facts, String because) {
        return switch (facts) {
            case Fact.Seen<MemberFacts>(MemberFacts seen) -> judge(seen);
            case Fact.Unseen<MemberFacts>(Trouble trouble, String reason) ->
                List.of(new Check.Failed(
                        "members", trouble, "rings could not be listed: " + reason, List.of("see the rights above")));
            case Fact.Unasked<MemberFacts> _ -> List.of(new Check.Skipped("members", because));
        };
    }

    private static List<Check> judge(MemberFacts facts) {
        String whose = facts.everyEnvironment() ? "of whatever environment" : "of this environment";
        if (facts.rings().isEmpty()) {
            return List.of(new Check.Ok("members", "no ring " + whose + " is there yet"));
        }
        var checks = new ArrayList<Check>();
        checks.add(summary(facts.rings(), whose));
        facts.rings().forEach(ring -> trouble(ring).ifPresent(checks::add));
        return List.copyOf(checks);
    }

    private static Check summary(List<Ring> rings, String whose) {
        var members = rings.stream().flatMap(MemberChecks::members).toList();
        var answers =
                members.stream().flatMap(m -> m.answer().optional().stream()).toList();
        String seen = answers.size() + " of " + Count.of(members.size(), "member") + " of "
                + Count.of(rings.size(), "ring") + " " + whose + " answer";
        if (answers.isEmpty()) {
            return new Check.Warning("members", seen, REMEDY);
        }
        String how =
                seen + ": " + counted(answers, a -> "by " + a.way()) + "; etcd " + counted(answers, Answer::version);
        return answers.size() == members.size()
                ? new Check.Ok("members", how)
                : new Check.Warning("members", how, REMEDY);
    }

    private static Stream<Member> members(Ring ring) {
        return ring.pods().optional().stream().flatMap(List::stream);
    }

    /// `3.5.16 (3), 3.4.23 (1)`; without the number where there is only one kind.
    private static String counted(List<Answer> answers, Function<Answer, String> what) {
        var counts = new TreeMap<String, Integer>();
        answers.forEach(a -> counts.merge(what.apply(a), 1, Integer::sum));
        return counts.size() == 1
                ? counts.firstKey()
                : String.join(
                        ", ",
                        counts.entrySet().stream()
                                .map(e -> e.getKey() + " (" + e.getValue() + ")")
                                .toList());
    }

    /// As long as one member gives the member list, a run works with the ring; without any, the ring is
    /// unknown to the run.
    private static Optional<Check> trouble(Ring ring) {
        String name = "ring " + ring.ref();
        return switch (ring.pods()) {
            case Observed.Unknown<List<Member>>(String reason, var _) ->
                Optional.of(new Check.Failed(
                        name, Trouble.TEMPORARY, "its pods could not be listed: " + reason, List.of("see the rights")));
            case Observed.Known<List<Member>>(List<Member> pods)
            when pods.isEmpty() ->
                Optional.of(new Check.Failed(name, Trouble.TEMPORARY, "has no pod that could be asked", REMEDY));
            case Observed.Known<List<Member>>(List<Member> pods) -> unreachable(name, pods);
        };
    }

    private static Optional<Check> unreachable(String name, List<Member> pods) {
        var silent = pods.stream()
                .flatMap(m -> m.answer().unknownReason().map(r -> m.pod() + ": " + r).stream())
                .toList();
        boolean listed =
                pods.stream().flatMap(m -> m.answer().optional().stream()).anyMatch(Answer::lists);
        if (silent.isEmpty() && listed) {
            return Optional.empty();
        }
        String seen = silent.isEmpty() ? "only learners answer" : String.join("; ", silent);
        return Optional.of(
                listed
                        ? new Check.Warning(name, seen, List.of())
                        : new Check.Failed(name, Trouble.TEMPORARY, seen, REMEDY));
    }
}
