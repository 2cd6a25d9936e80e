package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.state.value.EtcdId;
/// What asks for a ring to begin with a backup where no document does: the ring with this cluster ID has
/// lost its quorum, and the backup is what was left of it.

public final class Recovery {
    /// No document can be called so.
    private static final String REQUEST = "the recovery of the ring with cluster ID ";

    private Recovery() {}

    public static String request(EtcdId former) {
        return REQUEST + former;
    }

    /// Whether that is what asks.
    public static boolean is(String request) {
        return request.startsWith(REQUEST);
    }

    /// Who asks, for people.
    public static String asker(String request) {
        return is(request) ? request : "EtcdRestore " + request;
    }
}
