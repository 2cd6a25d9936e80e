package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.spec.value.EtcdVersion;

/// The releases from `from` on, and before `below`.
public record Releases(EtcdVersion from, EtcdVersion below) {
    public boolean contain(EtcdVersion version) {
        return from.compareTo(version) <= 0 && version.compareTo(below) < 0;
    }
}
