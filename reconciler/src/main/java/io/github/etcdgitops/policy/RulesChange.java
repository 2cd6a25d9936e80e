package io.github.etcdgitops.policy;

import static java.util.stream.Collectors.joining;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.OfRules.Notice;
import io.github.etcdgitops.spec.RulesApproval;
import io.github.etcdgitops.spec.Writers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Relaxed approval rules: a change of the highest risk, judged by the former rules. `since` is the commit
/// whose rules apply, for people.
public record RulesChange(String since, List<RelaxedRule> relaxed, Approvals.Wanted wanted) {
    public RulesChange {
        relaxed = List.copyOf(relaxed);
    }

    /// Empty where nothing was relaxed.
    public static Optional<RulesChange> of(ApprovalRules former, ApprovalRules next, String since, Instant now) {
        var relaxed = former.relaxedBy(next, now);
        return relaxed.isEmpty() ? Optional.empty() : Optional.of(new RulesChange(since, relaxed, former.wanted()));
    }

    /// For a commit that cannot be read.
    public static RulesChange unknown(String since) {
        return new RulesChange(since, List.of(), ApprovalRules.STRICTEST.wanted());
    }

    /// The findings for all rings.
    public static List<Finding> findings(DesiredState desired) {
        return desired.decisions().ofRules().notices().stream()
                .map(notice -> new Finding(
                        notice.holds() ? Level.WARNING : Level.NOTE, FindingCode.APPROVAL_RULES_RELAXED, notice.text()))
                .toList();
    }

    /// Depends on what is relaxed and how far, and not on commits or lines.
    public String id() {
        String text = relaxed.stream()
                .map(r -> r.setting() + "\0" + r.former() + "\0" + r.next() + "\0")
                .sorted()
                .collect(joining("\0", "rules\0", ""));
        return Digests.name(text, 16);
    }

    /// Who has approved it and who wrote it, as far as the history shows. Unknown people do not count.
    public record Word(Map<RulesApproval, Writers> approvals, Writers authors) {
        public Word {
            approvals = Map.copyOf(approvals);
        }
    }

    public boolean approved(Word word, Instant now) {
        return people(word, now).size() >= wanted.people();
    }

    private List<String> people(Word word, Instant now) {
        var counting = new ArrayList<SortedSet<String>>();
        naming(word, now).forEach((_, writers) -> {
            if (writers instanceof Writers.Known(var people) && !isSelf(people, word)) {
                counting.add(people);
            }
        });
        return Approvals.distinct(counting);
    }

    private Map<RulesApproval, Writers> naming(Word word, Instant now) {
        var naming = new LinkedHashMap<RulesApproval, Writers>();
        word.approvals().forEach((approval, writers) -> {
            if (approval.change().equals(id()) && now.isBefore(approval.expires())) {
                naming.put(approval, writers);
            }
        });
        return naming;
    }

    private boolean isSelf(Collection<String> people, Word word) {
        return !wanted.authorMayApprove()
                && switch (word.authors()) {
                    case Writers.Known(var authors) -> !Collections.disjoint(people, authors);
                    case Writers.Unknown _ -> true;
                };
    }

    /// The notice while the former rules also apply.
    public Notice held(Word word, Instant now, String commit) {
        return new Notice(
                true,
                title() + ". Until this is approved, the former rules hold as well. "
                        + needed(word, now) + ". Alternatively an operator checks it and runs once with"
                        + " --accept-rules "
                        + commit);
    }

    private String needed(Word word, Instant now) {
        if (relaxed.isEmpty()) {
            return "Fetch the whole history";
        }
        var counted = people(word, now);
        var own = naming(word, now).keySet().stream()
                .map(RulesApproval::name)
                .sorted()
                .toList();
        return (wanted.people() == 1 ? "One person" : wanted.people() + " people")
                + (wanted.authorMayApprove() ? "" : " who did not write it " + authors(word))
                + (wanted.people() == 1 ? " approves" : " approve") + " it with: etcd-gitops approve --rules " + id()
                + " --by NAME --reason WHY"
                + (own.isEmpty()
                        ? ""
                        : " (" + String.join(", ", own) + (counted.isEmpty() ? " does not count" : " is not enough")
                                + ")");
    }

    private static String authors(Word word) {
        return switch (word.authors()) {
            case Writers.Known(var authors) -> "(" + String.join(", ", authors) + " did)";
            case Writers.Unknown(String why, var _) -> "(" + why + ", so the author is unknown)";
        };
    }

    /// The notice about the commit that makes the new rules apply.
    public Notice accepted(String why) {
        return new Notice(false, title() + "; the new rules hold: " + why);
    }

    public String approvers(Word word, Instant now) {
        return "approved by " + String.join(", ", new TreeSet<>(people(word, now)));
    }

    private String title() {
        return relaxed.isEmpty()
                ? "the commit " + since
                        + ", whose rules about approvals apply, cannot be read. Every change that its rules may"
                        + " hold waits"
                : "rules about approvals were relaxed since " + since + " (change " + id() + "): "
                        + relaxed.stream().map(RelaxedRule::text).collect(joining("; "));
    }
}
