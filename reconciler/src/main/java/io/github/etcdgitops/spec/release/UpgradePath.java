package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;

/// The releases that a ring passes through, including the last one; or why there is no path.
public sealed interface UpgradePath {
    record Hops(List<EtcdVersion> versions) implements UpgradePath {
        public Hops {
            versions = List.copyOf(versions);
        }
    }

    record None(String reason) implements UpgradePath {}
}
