package io.github.etcdgitops.git.history;

import java.util.List;

/// How a commit relates to an earlier one.
public sealed interface Lineage {
    /// The earlier one is among its ancestors. `since` are the commits on its line of first parents that
    /// the earlier one does not have, itself included, newest first: what people put on the branch. A merge
    /// vouches for everything that it brought in.
    record Descends(List<String> since) implements Lineage {
        public Descends {
            since = List.copyOf(since);
        }
    }

    /// It is not among them: the branch was rewritten, or reset.
    record Rewritten() implements Lineage {}

    /// It is unknown, because the history is longer than the limit.
    record Unknown(int commits) implements Lineage {}
}
