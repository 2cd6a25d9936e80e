package io.github.etcdgitops.state;

import java.time.Instant;

/// What Kubernetes says about a node.
public sealed interface Machine {
    /// It is ready. People drain nodes; that does not count here.
    record Ready() implements Machine {}

    /// Its kubelet has reported a problem, or nothing at all, since then. Processes may still run there.
    record Silent(Instant since) implements Machine {}

    /// No Node has that name or that hostname label. The machine itself may still run: its Node object
    /// alone may have been deleted.
    record Gone() implements Machine {}
}
