package io.github.etcdgitops.state.health;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// An unexpected exception in the work for one ring: a bug of ours, or of a library. `place` is our method
/// that threw it. The message of the exception is left out: it may quote data.
public record Defect(String exception, String place) {
    private static final String OURS = "io.github.etcdgitops.";
    private static final int REFERENCE_BYTES = 4;

    /// Contains a defect within one ring. An OutOfMemoryError is no defect of that ring, and is thrown on.
    public static <T> T contain(Supplier<T> work, Function<Defect, T> otherwise) {
        try {
            return work.get();
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            return otherwise.apply(of(e));
        }
    }

    public static Defect of(Throwable thrown) {
        var root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new Defect(root.getClass().getName(), place(root));
    }

    private static String place(Throwable thrown) {
        List<StackTraceElement> frames = new ArrayList<>(List.of(thrown.getStackTrace()));
        var ours = frames.stream()
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .map(Defect::title);
        // The place where a recursion runs out of stack differs from run to run.
        var found = thrown instanceof StackOverflowError ? ours.min(Comparator.naturalOrder()) : ours.findFirst();
        return found.or(() -> frames.stream().map(Defect::title).findFirst()).orElse("an unknown place");
    }

    private static String title(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName() + ":" + frame.getLineNumber();
    }

    /// Equal for the same bug in the same version of the program.
    public String reference() {
        return Digests.name(exception + " " + place, 2 * REFERENCE_BYTES);
    }

    /// As one sentence, for people.
    public String in(ClusterRef ring) {
        return "internal error in ring " + ring + ", " + this + ". This run does nothing more with this ring and"
                + " continues with the others. Please report it";
    }

    @Override
    public String toString() {
        return "reference " + reference() + " (" + exception + " at " + place + ")";
    }
}
