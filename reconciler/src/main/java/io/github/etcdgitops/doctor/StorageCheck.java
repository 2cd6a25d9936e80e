package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import java.util.List;

/// Whether a ring that names no StorageClass gets one.
final class StorageCheck {
    private static final String NAME = "StorageClass";
    private static final List<String> REMEDY = List.of("name one in spec.storage.storageClassName, or mark one:"
            + " kubectl annotate storageclass NAME storageclass.kubernetes.io/is-default-class=true");

    private StorageCheck() {}

    static Check of(Fact<List<String>> marked, long neededFor, String because) {
        return switch (marked) {
            case Fact.Seen<List<String>>(List<String> names) -> judge(names, neededFor);
            case Fact.Unseen<List<String>>(Trouble trouble, String reason) ->
                new Check.Skipped(
                        NAME,
                        trouble == Trouble.RIGHTS
                                ? "this identity may not list StorageClasses, which no run needs"
                                : reason);
            case Fact.Unasked<List<String>> _ -> new Check.Skipped(NAME, because);
        };
    }

    private static Check judge(List<String> names, long neededFor) {
        if (names.size() == 1) {
            return new Check.Ok(NAME, names.getFirst() + " is the default");
        }
        if (neededFor == 0) {
            return new Check.Ok(NAME, "every ring names its own");
        }
        return new Check.Warning(
                NAME,
                names.isEmpty()
                        ? "none is the default; volumes of a ring that names none stay pending"
                        : "more than one is the default (" + String.join(", ", names) + ")",
                REMEDY);
    }
}
