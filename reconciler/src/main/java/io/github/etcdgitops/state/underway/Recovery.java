package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.state.value.EtcdId;
/// The request to start a ring from a backup that comes from no document: the ring with this cluster ID has
/// lost its quorum, and the backup is what was left of it.

public final class Recovery {
    /// No document can have this name.
    private static final String REQUEST = "the recovery of the ring with cluster ID ";

    private Recovery() {}

    public static String request(EtcdId former) {
        return REQUEST + former;
    }

    /// Whether the request is a recovery.
    public static boolean is(String request) {
        return request.startsWith(REQUEST);
    }

    /// The origin of the request, for people.
    public static String asker(String request) {
        return is(request) ? request : "EtcdRestore " + request;
    }
}
