package io.github.etcdgitops.fake;

import io.github.etcdgitops.document.kind.BuiltInCatalog;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Rollout;
import java.time.Duration;
import java.util.List;

/// What tests know about the releases of etcd.
public final class Releases {
    public static final Catalog KNOWN = BuiltInCatalog.get();

    /// Of a ring whose document says nothing about it.
    public static final Rollout ROLLOUT = new Rollout(List.of(), Duration.ZERO, 0, KNOWN);

    private Releases() {}
}
