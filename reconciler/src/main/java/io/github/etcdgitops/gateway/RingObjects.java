package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.Journal;

/// What a ring's objects are rendered from. `voters` is how many members clients are told of; `minAvailable` is
/// the budget; `epoch` is written beside every change. `applied` rules over the spec for version and etcd options:
/// a running ring is changed by operations only.
public record RingObjects(EtcdClusterSpec spec, Journal.Applied applied, int voters, int minAvailable, long epoch) {}
