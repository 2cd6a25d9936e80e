package io.github.etcdgitops.spec;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The authors of something, as far as the history of the repository shows.
public sealed interface Writers {
    /// Their addresses, in lower case; for signers, the name among the allowed signers.
    record Known(SortedSet<String> people) implements Writers {
        public Known {
            people = Collections.unmodifiableSortedSet(new TreeSet<>(people));
        }
    }

    /// Not `asked` where the history was not read, as for documents outside a repository.
    record Unknown(String why, boolean asked) implements Writers {
        /// Authors that the history does not show.
        public Unknown(String why) {
            this(why, true);
        }
    }
}
