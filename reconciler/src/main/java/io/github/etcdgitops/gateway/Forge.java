package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.WireName;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// Where pull requests are reviewed, as one token sees it. Reading is tried again where that may help; writing is not
/// where it may have been done: [GatewayException#mayHaveHappened] tells, and the caller looks first.
public interface Forge extends AutoCloseable {
    /// The software that answers. Not everything that it calls itself, only what its API is like.
    enum Kind {
        GITHUB("GitHub"),
        GITLAB("GitLab"),
        GITEA("Gitea");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }
    }

    /// What a status says of a commit. Not each forge knows all of them.
    enum State implements WireName {
        PENDING,
        SUCCESS,
        FAILURE,
        ERROR;

        public String word() {
            return wire();
        }

        @Override
        public String wire() {
            return switch (this) {
                case PENDING -> "pending";
                case SUCCESS -> "success";
                case FAILURE -> "failure";
                case ERROR -> "error";
            };
        }
    }

    /// `bot`: the forge itself marks the account as that of a program.
    record Account(long id, String name, boolean bot) {}

    record Comment(long id, Account author, String body) {}

    record CommitStatus(String context, State state, String description, Optional<URI> target) {}

    /// Whose the token is. Empty where it is the token of an app that may not ask.
    Optional<Account> self();

    /// All of them, the oldest first.
    List<Comment> comments(long pullRequest);

    /// The comment as the forge has it now, with the author that it names.
    Comment create(long pullRequest, String body);

    void update(long pullRequest, Comment comment, String body);

    /// The last one with this context.
    Optional<CommitStatus> status(String commit, String context);

    void post(String commit, CommitStatus status);

    /// Whether what the forge says is what it would say if `wanted` were posted: a forge that has fewer states, or does
    /// not take a second one of a kind, knows.
    boolean same(CommitStatus present, CommitStatus wanted);

    /// So many characters may a comment have.
    int longestComment();

    @Override
    void close();
}
