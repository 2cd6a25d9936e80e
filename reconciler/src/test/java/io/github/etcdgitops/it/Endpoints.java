package io.github.etcdgitops.it;

import java.net.URI;
import java.util.List;
import java.util.function.Supplier;

/// The endpoints as they were last told. A supplier that fails or knows none does not take the old ones away.
final class Endpoints {
    private final Supplier<List<String>> supplier;
    private volatile List<URI> known = List.of();

    Endpoints(Supplier<List<String>> supplier) {
        this.supplier = supplier;
        known = ask();
    }

    void refresh() {
        List<URI> told;
        try {
            told = ask();
        } catch (RuntimeException _) {
            return;
        }
        if (!told.isEmpty()) {
            known = told;
        }
    }

    boolean isKnown() {
        return !known.isEmpty();
    }

    /// Any index leads to an endpoint, neighbours to different ones.
    URI at(int index) {
        var now = known;
        if (now.isEmpty()) {
            throw new IllegalStateException("no endpoint is known");
        }
        return now.get(Math.floorMod(index, now.size()));
    }

    private List<URI> ask() {
        return supplier.get().stream()
                .map(text -> URI.create(text.contains("://") ? text : "http://" + text))
                .toList();
    }
}
