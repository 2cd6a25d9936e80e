package io.github.etcdgitops.state;

import java.util.Optional;

/// What is known of the use of etcd's v2 API. `keys` says whether the ring has any; it is empty where nobody told.
/// `writes` is how often clients have written through that API since the members that told have started.
public record V2Use(Optional<Boolean> keys, long writes) {
    public static final V2Use UNASKED = new V2Use(Optional.empty(), 0);
}
