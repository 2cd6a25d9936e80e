package io.github.etcdgitops.sandbox.api;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The requests that are still being answered and would not end by themselves.
final class Streams {
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

    void add(AutoCloseable stream) {
        open.add(stream);
    }

    void end(AutoCloseable stream) {
        open.remove(stream);
        try {
            stream.close();
        } catch (Exception _) {
            // Whatever it says, it is not served any more.
        }
    }

    void cut() {
        open.forEach(this::end);
    }
}
