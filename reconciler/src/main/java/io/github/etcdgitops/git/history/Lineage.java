package io.github.etcdgitops.git.history;

import java.util.List;

/// How a commit came out of an earlier one.
public sealed interface Lineage {
    /// The earlier one is among its ancestors. `since` are the commits on its line of first parents that the earlier
    /// one does not have, itself included, newest first: what people put on the branch. What a merge brought in
    /// besides is vouched for by the merge.
    record Descends(List<String> since) implements Lineage {
        public Descends {
            since = List.copyOf(since);
        }
    }

    /// It is not: the branch was rewritten, or taken back.
    record Rewritten() implements Lineage {}

    /// Nobody can tell, as the history is longer than what is looked at.
    record Unknown(int commits) implements Lineage {}
}
