package io.github.etcdgitops.spec;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// Who wrote something, as far as the history of the repository tells.
public sealed interface Writers {
    /// Their addresses, in lower case; of whoever signed, the name among the allowed signers.
    record Known(SortedSet<String> people) implements Writers {
        public Known {
            people = Collections.unmodifiableSortedSet(new TreeSet<>(people));
        }
    }

    /// Not `asked` where nobody has looked at the history, as of documents that no repository has.
    record Unknown(String why, boolean asked) implements Writers {
        /// What history does not tell.
        public Unknown(String why) {
            this(why, true);
        }
    }
}
