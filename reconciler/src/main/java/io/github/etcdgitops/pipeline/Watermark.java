package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.Watermarks;
import io.github.etcdgitops.gateway.Watermarks.Found;
import io.github.etcdgitops.gateway.Watermarks.Mark;
import io.github.etcdgitops.gateway.Watermarks.Subject;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.history.Lineage;
import io.github.etcdgitops.pipeline.environment.Branch;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Prevents a branch from being reset or replaced by another: a run continues from the commit that the last
/// one accepted, or not at all. An undecidable case is refused.
public final class Watermark {
    private final GitRepository repository;
    private final Watermarks marks;
    private final Consumer<String> warn;
    private Supplier<Optional<String>> overtaken = Optional::empty;

    public Watermark(GitRepository repository, Watermarks marks, Consumer<String> warn) {
        this.repository = repository;
        this.marks = marks;
        this.warn = warn;
    }

    /// What a run is about to act on. `rewritten` is the commit of a rewritten branch that a person has
    /// checked and accepts, once. A dry run remembers nothing.
    public record Wanted(Branch branch, String commit, Optional<String> rewritten, boolean dryRun) {
        public Wanted {
            if (rewritten.filter(id -> !id.matches("[0-9a-f]{40}")).isPresent()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        "--git-accept-rewritten takes a whole commit id of 40 digits, not '" + rewritten.get() + "'");
            }
        }

        private String ref() {
            return branch.ref();
        }
    }

    /// Throws [RunException] UNAUTHORIZED unless the commit descends from the last accepted one. Where the
    /// repository requires signatures, everything between the two needs them.
    public void accept(String environment, Wanted wanted) {
        if (wanted.commit().equals(wanted.ref())) {
            // A commit named by its id cannot be another one.
            return;
        }
        var subject = wanted.branch().in(repository);
        var found = marks.read(subject);
        var last = found.mark();
        overtaken = () -> newer(subject, last, wanted.commit());
        if (last.isEmpty()) {
            remember(subject, new Mark(wanted.commit(), environment), found, wanted);
        } else if (!last.get().commit().equals(wanted.commit())) {
            remember(subject, next(environment, last.get(), wanted), found, wanted);
        }
    }

    /// Why this run's plan is outdated by now, if it is: another run has accepted a newer commit since.
    public Optional<String> overtaken() {
        return overtaken.get();
    }

    /// A commit is accepted only as a descendant of the previous one.
    private Optional<String> newer(Subject subject, Optional<Mark> before, String ours) {
        return marks.read(subject)
                .mark()
                .map(Mark::commit)
                .filter(commit -> !commit.equals(ours)
                        && before.map(Mark::commit).filter(commit::equals).isEmpty())
                .map(commit -> "another run has accepted commit " + commit + " since this run started with " + ours);
    }

    private Mark next(String environment, Mark last, Wanted wanted) {
        return switch (repository.lineage(last.commit(), wanted.commit())) {
            case Lineage.Descends _ -> last.at(wanted.commit(), last.rewritten());
            case Lineage.Rewritten _ ->
                rewritten(
                        last,
                        wanted,
                        "does not descend from " + last.commit() + ", the last commit that a run in " + environment
                                + " accepted. The branch was rewritten or reset");
            case Lineage.Unknown(int commits) ->
                rewritten(
                        last,
                        wanted,
                        "has more than " + commits + " commits of history in which " + last.commit()
                                + ", the last one that a run in " + environment + " accepted, was not found");
        };
    }

    private Mark rewritten(Mark last, Wanted wanted, String why) {
        String what = wanted.ref() + " of " + repository.address() + " is at " + wanted.commit();
        if (wanted.rewritten().isEmpty()) {
            throw refused(what + ", which " + why + ". Nothing was done. Find out who did that and why. If it is"
                    + " intended, run once with --git-accept-rewritten " + wanted.commit());
        }
        String accepted = wanted.rewritten().get();
        if (!accepted.equals(wanted.commit())) {
            throw refused(what + ", which " + why + "; --git-accept-rewritten names another commit, " + accepted
                    + ". Nothing was done");
        }
        if (last.rewritten().equals(wanted.rewritten())) {
            throw refused(what + ", which " + why + "; --git-accept-rewritten was already used for this commit, and"
                    + " works only once. Nothing was done. If the rewrite is intended, push a commit on top and"
                    + " accept that one");
        }
        warn.accept(what + " and " + why + "; accepted, as --git-accept-rewritten says");
        return last.at(wanted.commit(), wanted.rewritten());
    }

    private void remember(Subject subject, Mark mark, Found found, Wanted wanted) {
        if (wanted.dryRun()) {
            return;
        }
        try {
            marks.write(subject, mark, found);
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.NOT_FOUND) {
                throw e;
            }
            if (repository.asksForSignatures()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        "the last accepted commit cannot be stored, because the reconciler's namespace does not"
                                + " exist: "
                                + e.getMessage() + ". Create it, or name another one with --reconciler-namespace");
            }
            warn.accept("the reconciler's namespace does not exist, so the accepted commit is not stored and a"
                    + " rewritten branch would not be noticed");
        }
    }

    private static RunException refused(String why) {
        return new RunException(RunException.Kind.UNAUTHORIZED, why);
    }
}
