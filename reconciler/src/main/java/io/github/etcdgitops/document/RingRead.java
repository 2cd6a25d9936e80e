package io.github.etcdgitops.document;

import io.github.etcdgitops.document.kind.ClusterReader;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The spec of a ring, or what is wrong with its environment or its releases. An invalid document has neither.
record RingRead(ClusterRef ref, List<Violation> trouble, Optional<EtcdClusterSpec> spec) {
    static RingRead of(ClusterRef ref, Assessed assessed, Fleet fleet, Catalog catalog, SharedParts shared) {
        var document = assessed.document();
        var environment = new EnvironmentCheck(fleet, document);
        var trouble = Stream.of(
                        environment.violations(),
                        new ReleaseCheck(catalog, document).violations(),
                        new SettingCheck(catalog, document).violations())
                .flatMap(List::stream)
                .filter(v -> document.whole() && assessed.notWrongAt(v.at()))
                .toList();
        var spec = assessed.good() && trouble.isEmpty()
                ? Optional.of(shared.of(ClusterReader.read(
                        ref, document, environment.name(), fleet.defaultsIn(environment.name()), catalog)))
                : Optional.<EtcdClusterSpec>empty();
        return new RingRead(ref, trouble, spec);
    }
}
