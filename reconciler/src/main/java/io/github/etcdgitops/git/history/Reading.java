package io.github.etcdgitops.git.history;

import java.util.List;
import java.util.Optional;

/// The meaning of a passage of a file, whatever its form: values that are compared by `equals`.
public interface Reading {
    /// The meaning of an unreadable file: anything.
    Object ILLEGIBLE = new Object();

    /// Empty where the file does not have it, [#ILLEGIBLE] where that is unknown.
    Optional<Object> in(byte[] content);

    /// Its former value, where a file has it now and had something else in its place before.
    Optional<Object> instead(byte[] now, byte[] before);

    /// Whether the file has it without content: an absent field.
    boolean isNothing(Object meaning);

    /// Whether everything in `merged` comes from one of the sides.
    boolean isMadeOf(Object merged, List<Object> sides);
}
