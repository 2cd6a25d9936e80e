package io.github.etcdgitops.state;

import java.time.Instant;

/// What Kubernetes says of a machine, which it calls a Node.
public sealed interface Machine {
    /// It takes part; whoever is drained off it has been so by people.
    record Ready() implements Machine {}

    /// Its kubelet has reported trouble, or nothing at all, since then. What runs there may go on running.
    record Silent(Instant since) implements Machine {}

    /// There is no Node of that name, and none that is called so by its label. Whether the machine itself runs
    /// is another question: somebody may have deleted its Node alone.
    record Gone() implements Machine {}
}
