package io.github.etcdgitops.git.history;

import java.util.List;
import java.util.Optional;

/// What a passage of a file means, whatever it looks like: values that are compared by `equals`.
public interface Reading {
    /// What a file means that cannot be read: anything.
    Object ILLEGIBLE = new Object();

    /// Empty where the file does not have it, [#ILLEGIBLE] where nobody can tell.
    Optional<Object> in(byte[] content);

    /// What it was made of, where a file has it now and had something in its place before.
    Optional<Object> instead(byte[] now, byte[] before);

    /// Whether the file has it, and it says nothing: a field that is not there.
    boolean isNothing(Object meaning);

    /// Whether everything in `merged` is from one of the sides.
    boolean isMadeOf(Object merged, List<Object> sides);
}
