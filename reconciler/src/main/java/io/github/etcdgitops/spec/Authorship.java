package io.github.etcdgitops.spec;

import java.util.Map;
import java.util.Optional;

/// The authors of passages, as far as rules need to distinguish people.
public record Authorship(Map<Passage, Writers> writers) {
    public static final Authorship NONE = new Authorship(Map.of());

    public Authorship {
        writers = Map.copyOf(writers);
    }

    public Writers of(Passage passage) {
        return Optional.ofNullable(writers.get(passage))
                .orElseGet(() ->
                        new Writers.Unknown("the history of " + passage.file() + " was not read", !writers.isEmpty()));
    }
}
