package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.WireName;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// The service where pull requests are reviewed, as one token sees it. Reads are repeated where that may
/// help. A write is not repeated where it may have happened: [GatewayException#mayHaveHappened] says so,
/// and the caller checks first.
public interface Forge extends AutoCloseable {
    /// The software that answers: only the kind of its API, whatever its own name is.
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

    /// The status of a commit. Not every forge knows all of them.
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

    /// `bot`: the forge itself marks the account as a program's.
    record Account(long id, String name, boolean bot) {}

    record Comment(long id, Account author, String body) {}

    record CommitStatus(String context, State state, String description, Optional<URI> target) {}

    /// A wish to merge `branch` into `base`, two branches of the repository.
    record Wish(String branch, String base, String title, String body) {}

    /// A pull request as the forge has it: its number and the address of its page.
    record PullRequest(long number, Optional<URI> page, Fate fate) {}

    enum Fate {
        OPEN,
        MERGED,
        CLOSED
    }

    /// The token's account. Empty for the token of an app that may not ask.
    Optional<Account> self();

    /// All of them, the oldest first.
    List<Comment> comments(long pullRequest);

    /// The comment as the forge now stores it, with its author.
    Comment create(long pullRequest, String body);

    void update(long pullRequest, Comment comment, String body);

    /// The pull requests from this branch of the repository into `base`, closed ones as well, in any order.
    List<PullRequest> pullRequests(String branch, String base);

    PullRequest open(Wish wish);

    /// The latest status with this context.
    Optional<CommitStatus> status(String commit, String context);

    void post(String commit, CommitStatus status);

    /// Whether the present status is what the forge would show if `wanted` were posted. Only the forge
    /// knows: some have fewer states, or refuse a second status of a kind.
    boolean same(CommitStatus present, CommitStatus wanted);

    /// The maximum number of characters in a comment.
    int longestComment();

    @Override
    void close();
}
