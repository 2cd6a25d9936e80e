package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.document.kind.PassageReading;
import io.github.etcdgitops.gateway.Watermarks;
import io.github.etcdgitops.git.Authors;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.history.Reading;
import io.github.etcdgitops.pipeline.environment.Branch;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.policy.ApprovalRules;
import io.github.etcdgitops.policy.RulesChange;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.OfRules.Notice;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.RulesApproval;
import io.github.etcdgitops.spec.Writers;
import io.github.etcdgitops.spec.ring.Fleet;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Prevents a commit from removing the approvals that its own changes need. The approval rules of an
/// earlier commit apply as well, until the relaxation is approved. Rules that are as strict as before, or
/// stricter, apply at once.
public record RulesInForce(GitRepository repository, String commit, String environment, Instant now) {
    private static final int SHORT = 12;

    /// The operator's options. `accepted` is the commit whose rules apply because a person has checked
    /// them. A process that does not remember uses what others have remembered.
    public record Asked(Branch branch, Optional<String> accepted, boolean remembers) {
        public Asked {
            if (accepted.filter(id -> !id.matches("[0-9a-f]{40}")).isPresent()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        "--accept-rules takes a whole commit id of 40 digits, not '" + accepted.get() + "'");
            }
        }
    }

    /// What may be carried out, and whether only the commit's own rules apply.
    public record Judged(DesiredState desired, boolean own) {}

    /// What a run that has accepted the commit may carry out. `desired` is what the commit says.
    public DesiredState ofRun(Watermarks marks, Asked asked, DesiredState desired) {
        if (commit.equals(asked.branch().ref())) {
            // Naming a commit also chooses its rules.
            return desired;
        }
        var subject = asked.branch().in(repository);
        var found = marks.read(subject);
        if (found.mark().isEmpty()) {
            return desired;
        }
        var mark = found.mark().get();
        requireEnvironment(mark, asked);
        var judged = judge(desired, ApprovalRules.of(desired, environment), mark.rules(), asked.accepted());
        if (judged.own() && asked.remembers() && !mark.rules().equals(commit)) {
            marks.write(subject, mark.ruledBy(commit, environment), found);
        }
        return judged.desired();
    }

    /// Where the operator names no environment, etcd-gitops.yaml does. Without this check, a changed name
    /// would affect other rings, under rules that nothing defines.
    private void requireEnvironment(Watermarks.Mark mark, Asked asked) {
        boolean accepted = asked.accepted().filter(commit::equals).isPresent();
        if (!mark.environment().equals(environment) && !accepted) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "etcd-gitops.yaml at " + commit + " selects the environment " + environment
                            + ", but the last run was for " + mark.environment()
                            + ". Nothing was done. Restore the former file, or name the environment with"
                            + " --environment. If the change is intended, run once with --accept-rules " + commit);
        }
    }

    /// What may be carried out under the rules of the commit `since`. `next` are the commit's own rules,
    /// which may differ from those that `desired` was read with.
    public Judged judge(DesiredState desired, ApprovalRules next, String since, Optional<String> accepted) {
        if (since.equals(commit)) {
            return new Judged(desired, true);
        }
        String shown = since.substring(0, SHORT);
        var rules =
                repository.earlier(since, commit).map(tree -> ApprovalRules.of(SpecLoader.rules(tree), environment));
        var relaxed = rules.isPresent()
                ? RulesChange.of(rules.get(), next, shown, now)
                : Optional.of(RulesChange.unknown(shown));
        if (relaxed.isEmpty()) {
            return new Judged(desired, true);
        }
        var change = relaxed.get();
        if (accepted.filter(commit::equals).isPresent()) {
            return new Judged(noting(desired, change.accepted("--accept-rules names this commit")), true);
        }
        var word = word(desired, change, since);
        if (rules.isPresent() && change.approved(word, now)) {
            return new Judged(noting(desired, change.accepted(change.approvers(word, now))), true);
        }
        var former = rules.orElse(ApprovalRules.STRICTEST);
        var fenced = former.fence(desired).map(also -> within(also, desired)).orElse(desired);
        var held = former.beside(fenced, ApprovalRules.of(fenced, environment), now);
        return new Judged(noting(held, change.held(word, now, commit)), false);
    }

    /// Without the documents that only the new tenant limits allow.
    private DesiredState within(Fleet.Sharing also, DesiredState desired) {
        var read = SpecLoader.load(repository.read(commit), also);
        return read.by(desired.decisions().authorship())
                .with(desired.violations().stream()
                        .filter(violation -> !read.violations().contains(violation))
                        .toList());
    }

    private static DesiredState noting(DesiredState desired, Notice notice) {
        return desired.ruledBy(desired.fleet().approvals(), desired.decisions().rules(), List.of(notice));
    }

    private RulesChange.Word word(DesiredState desired, RulesChange change, String since) {
        var authors = new Authors(repository);
        var naming = desired.decisions().ofRules().approvals().stream()
                .filter(approval -> approval.change().equals(change.id()))
                .toList();
        var passages = new HashMap<Passage, Reading>();
        naming.forEach(approval -> passages.put(Passage.of(approval), new PassageReading(Passage.of(approval))));
        Map<Passage, Writers> givers = passages.isEmpty() ? Map.of() : authors.of(commit, passages);
        var given = new HashMap<RulesApproval, Writers>();
        naming.forEach(approval -> given.put(
                approval,
                Optional.ofNullable(givers.get(Passage.of(approval)))
                        .orElseGet(() -> new Writers.Unknown("its history was not read"))));
        return new RulesChange.Word(given, authors.since(since, commit, SpecLoader::isRule));
    }
}
