package io.github.etcdgitops.gateway;

import java.util.Optional;

/// Remembers the last commit that a run accepted. It is not stored in the Git repository: whoever can
/// rewrite the branch could rewrite it as well. Throws [GatewayException].
public interface Watermarks {
    /// The branch that it is about. `environment` is the one that the operator names, or else the default
    /// one, whatever Git says. `repository` is the same for all spellings of its address.
    record Subject(String environment, String repository, String ref) {}

    /// `rewritten` is the last rewritten commit that was accepted on request. `rules` is the commit whose
    /// approval rules apply: an earlier one, until the relaxation of the rules is approved. `environment`
    /// is the one whose rings runs act on.
    record Mark(String commit, Optional<String> rewritten, String rules, String environment) {
        /// For a commit whose own rules apply.
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

    /// The stored mark, and the version of the object that holds it; the version is empty where that object
    /// does not exist yet.
    record Found(Optional<Mark> mark, String version) {}

    Found read(Subject subject);

    /// CONFLICT where another process has written since `found` was read, NOT_FOUND where its namespace
    /// does not exist.
    void write(Subject subject, Mark mark, Found found);
}
