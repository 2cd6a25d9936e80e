package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.Namespaces;
import java.util.ArrayList;
import java.util.List;

/// Compares the conditions that select rings.
final class Selection {
    private Selection() {}

    /// Whether it selects every ring that the other one selects, for all possible rings.
    static boolean covers(RingSelector wide, RingSelector narrow) {
        return (wide.within().equals(Namespaces.ALL) || wide.within().equals(narrow.within()))
                && covers(wide.environments(), narrow.environments())
                && covers(wide.namespaces(), narrow.namespaces())
                && narrow.labels().entrySet().containsAll(wide.labels().entrySet())
                && narrow.gates().entrySet().containsAll(wide.gates().entrySet());
    }

    private static boolean covers(List<String> wide, List<String> narrow) {
        return wide.isEmpty() || (!narrow.isEmpty() && wide.containsAll(narrow));
    }

    static String text(RingSelector rings) {
        var parts = new ArrayList<String>();
        list("environments", rings.environments(), parts);
        list("namespaces", rings.namespaces(), parts);
        rings.labels().forEach((key, value) -> parts.add(key + "=" + value));
        rings.gates().forEach((gate, on) -> parts.add(gate.title() + "=" + on));
        if (!rings.within().equals(Namespaces.ALL)) {
            parts.add("within " + rings.within());
        }
        return parts.isEmpty() ? "all rings" : "rings with " + String.join(", ", parts);
    }

    private static void list(String what, List<String> values, List<String> parts) {
        if (!values.isEmpty()) {
            parts.add(what + " " + String.join(" or ", values));
        }
    }
}
