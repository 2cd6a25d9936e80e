package io.github.etcdgitops.gateway;

import java.util.Optional;

/// Remembers the last commit that a run accepted. Not in the Git repository: whoever can rewrite the branch could
/// rewrite that as well. Throws [GatewayException].
public interface Watermarks {
    /// Of which branch. `environment` is the one that the operator names, or else the default one, whatever Git says.
    /// `repository` is the same for all spellings of its address.
    record Subject(String environment, String repository, String ref) {}

    /// `rewritten` is the rewritten commit that was accepted last because somebody said so. `rules` is the commit whose
    /// rules about approvals hold: an earlier one, as long as nobody has approved that they were relaxed.
    /// `environment` is the one whose rings runs act on.
    record Mark(String commit, Optional<String> rewritten, String rules, String environment) {
        /// Whose own rules hold.
        public Mark(String commit, String environment) {
            this(commit, Optional.empty(), commit, environment);
        }

        public Mark at(String next, Optional<String> accepted) {
            return new Mark(next, accepted, rules, environment);
        }

        public Mark ruledBy(String other, String of) {
            return new Mark(commit, rewritten, other, of);
        }
    }

    /// What there is, and in which version of the place where it is kept; the version is empty where there is no such
    /// place yet.
    record Found(Optional<Mark> mark, String version) {}

    Found read(Subject subject);

    /// CONFLICT where somebody else wrote since `found` was read, NOT_FOUND where there is no namespace for it.
    void write(Subject subject, Mark mark, Found found);
}
